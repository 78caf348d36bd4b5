package dev.slipway.source.zip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that is read no further than a list of entries goes: what opens an archive keeps the whole
 * list in memory, however long the archive makes it.
 */
final class BoundedChannel implements SeekableByteChannel {
  private static final long LONGEST_LIST_BYTES = 32L << 20;

  private final FileChannel file;
  private long left = LONGEST_LIST_BYTES;

  private BoundedChannel(FileChannel file) {
    this.file = file;
  }

  static BoundedChannel open(Path path) throws IOException {
    return new BoundedChannel(FileChannel.open(path, StandardOpenOption.READ));
  }

  /** More was read than any list that we take. */
  static final class Exceeded extends IOException {
    Exceeded() {
      super("the list of entries is too long");
    }
  }

  /** The list has been read: what follows is the entries themselves. */
  void unbounded() {
    left = Long.MAX_VALUE;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    int read = file.read(into);
    left -= Math.max(0, read);
    if (left < 0) {
      throw new Exceeded();
    }
    return read;
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    return file.write(from);
  }

  @Override
  public long position() throws IOException {
    return file.position();
  }

  @Override
  public SeekableByteChannel position(long position) throws IOException {
    file.position(position);
    return this;
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  public SeekableByteChannel truncate(long size) throws IOException {
    file.truncate(size);
    return this;
  }

  @Override
  public boolean isOpen() {
    return file.isOpen();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
