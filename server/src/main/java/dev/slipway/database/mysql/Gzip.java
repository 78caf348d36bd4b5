package dev.slipway.database.mysql;

import dev.slipway.database.DumpRuns;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** As every host can unpack it; its checksum tells whether all of it is there. */
final class Gzip implements DumpRuns.Packing {
  private static final int BUFFER = 64 << 10;

  @Override
  public OutputStream into(OutputStream file) throws IOException {
    return new Fast(file);
  }

  @Override
  public InputStream outOf(InputStream file) throws IOException {
    try {
      return new GZIPInputStream(file, BUFFER);
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  private static final class Fast extends GZIPOutputStream {
    Fast(OutputStream out) throws IOException {
      super(out, BUFFER);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
