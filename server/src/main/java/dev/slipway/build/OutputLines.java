package dev.slipway.build;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * What a program printed, as lines fit for a log: without colours and other control characters, of
 * a line that was drawn over several times (a progress bar) the last, no line over 16 KiB.
 */
final class OutputLines {
  private static final int MAX_LINE_BYTES = 16 << 10;
  private static final String CUT = " … (cut)";
  private static final Pattern CONTROL =
      Pattern.compile(
          "\u001B\\[[0-9;?]*[ -/]*[@-~]" // colours, cursor
              + "|\u001B\\][^\u0007\u001B]*(?:\u0007|\u001B\\\\)?" // titles, links
              + "|\u001B[@-_]?"
              + "|[\\p{Cntrl}&&[^\t]]");

  private final Consumer<String> sink;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private boolean cut;
  private boolean returned;

  private OutputLines(Consumer<String> sink) {
    this.sink = sink;
  }

  /** Reads to the end; a last line without a line feed counts. */
  static void read(InputStream output, Consumer<String> sink) throws IOException {
    OutputLines lines = new OutputLines(sink);
    byte[] buffer = new byte[1 << 13];
    for (int read = output.read(buffer); read >= 0; read = output.read(buffer)) {
      for (int i = 0; i < read; i++) {
        lines.accept(buffer[i]);
      }
    }
    if (lines.line.size() > 0) {
      lines.end();
    }
  }

  private void accept(byte b) {
    if (b == '\n') {
      end();
      return;
    }
    if (returned) {
      start(); // the line is drawn again
    }
    if (b == '\r') {
      returned = true;
    } else if (line.size() < MAX_LINE_BYTES) {
      line.write(b);
    } else {
      cut = true;
    }
  }

  private void end() {
    String text = CONTROL.matcher(line.toString(StandardCharsets.UTF_8)).replaceAll("");
    sink.accept(cut ? text + CUT : text);
    start();
  }

  private void start() {
    line.reset();
    cut = false;
    returned = false;
  }
}
