package dev.slipway.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/** Measures what programs have written. */
public final class DiskUse {
  private DiskUse() {}

  /**
   * The bytes that a directory takes on the disk, with all below it: a file of several names is
   * counted once, the holes of a file not at all. Files may come and go meanwhile.
   *
   * @throws InterruptedException when interrupted; nothing runs then
   */
  public static long bytes(Path directory) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(
                    "du",
                    "--summarize",
                    "--one-file-system",
                    "--block-size=1",
                    "--",
                    directory.toString()))
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    Commands.clearEnvironment(builder);
    Process du = builder.start();
    try {
      du.getOutputStream().close();
      du.waitFor(); // what it says is one line, which the pipe holds
      String said = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      // It answers 1 for files that went away, and counts the others.
      return Long.parseLong(said.substring(0, Math.max(0, said.indexOf('\t'))));
    } catch (NumberFormatException e) {
      throw new IOException("du did not measure " + directory, e);
    } finally {
      du.destroyForcibly();
    }
  }

  /**
   * What the files of a directory are long together, or one file alone: without another program,
   * and also when interrupted. What cannot be read, or goes away meanwhile, is not counted.
   */
  public static long about(Path path) {
    try {
      BasicFileAttributes file =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      long bytes = file.size();
      if (file.isDirectory()) {
        try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
          for (Path child : children) {
            bytes += about(child);
          }
        }
      }
      return bytes;
    } catch (IOException e) {
      return 0;
    }
  }
}
