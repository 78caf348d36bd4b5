package dev.slipway.source.git;

import dev.slipway.source.FetchCount;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** What is read of it is counted as written: it comes from the network and goes to the disk. */
final class CountedStream extends FilterInputStream {
  private final FetchCount count;

  CountedStream(InputStream in, FetchCount count) {
    super(in);
    this.count = count;
  }

  @Override
  public int read() throws IOException {
    int value = super.read();
    count.add(value < 0 ? 0 : 1);
    return value;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    int read = super.read(into, from, length);
    count.add(Math.max(read, 0));
    return read;
  }
}
