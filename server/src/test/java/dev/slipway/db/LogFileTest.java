package dev.slipway.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFileTest {
  private static final long MAX_BYTES = 100;

  @TempDir Path home;

  @Test
  void isEmptiedWhenItHasGrownAndKeepsWhatWasThere() throws Exception {
    LogFile log = new LogFile(home, MAX_BYTES);
    log.target();
    write("short\n");
    log.bound();
    assertThat(home.resolve("log")).hasContent("short");

    write("x".repeat(100));
    log.bound();
    assertThat(home.resolve("log")).isEmptyFile();
    assertThat(Files.readString(home.resolve("log.1"))).startsWith("short");
  }

  @Test
  void tellsWhatWasSaidSinceTheStart() throws Exception {
    LogFile log = new LogFile(home);
    log.target();
    write("of an earlier run\n");
    log.target();
    write("FATAL: no\nHINT: yes\n");
    assertThat(log.lastWords()).isEqualTo("FATAL: no / HINT: yes");
  }

  private void write(String text) throws Exception {
    Files.writeString(home.resolve("log"), text, StandardOpenOption.APPEND);
  }
}
