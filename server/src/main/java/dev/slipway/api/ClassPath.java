package dev.slipway.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Files that come with the program. */
public final class ClassPath {
  private ClassPath() {}

  public static byte[] read(String name) {
    try (InputStream file = ClassPath.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException(name + " is not on the class path");
      }
      return file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be read", e);
    }
  }
}
