package dev.slipway.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessLogTest {
  private static final Duration KEEP = Duration.ofDays(14);
  private static final byte[] TEXT = AccessLines.name("text");
  private static final byte[] NUMBER = AccessLines.name("number");

  @TempDir private Path temp;

  @Test
  void aLineIsOneObjectWhateverItSays() throws IOException {
    String evil = "a\"b\\c\r\n\u0000\u001b[31m\u007f\u0085ü";
    try (AccessLog log = AccessLog.in(folder(), KEEP, 1 << 20)) {
      AccessLines lines = log.lines();
      lines.begin(Instant.parse("2026-11-21T08:09:10.007Z").toEpochMilli());
      lines.text(TEXT, evil, 100);
      lines.text(AccessLines.name("none"), null, 100);
      lines.text(AccessLines.name("cut"), "abcdef", 3);
      lines.text(AccessLines.name("escaped_at_its_end"), "abc\n", 100);
      lines.number(NUMBER, -9_223_372_036_854_775_807L);
      lines.millis(AccessLines.name("took_ms"), 12_034_567);
      lines.yes(AccessLines.name("aborted"));
      lines.end();
      lines.flush();
    }

    String line = Files.readString(current());
    assertThat(line).endsWith("}\n").matches("[ -~]*\n");
    JsonNode read = new JsonMapper().readTree(line);
    assertThat(read.get("time").asText()).isEqualTo("2026-11-21T08:09:10.007Z");
    assertThat(read.get("text").asText()).isEqualTo(evil);
    assertThat(read.has("none")).isFalse();
    assertThat(read.get("cut").asText()).isEqualTo("abc");
    assertThat(read.get("escaped_at_its_end").asText()).isEqualTo("abc\n");
    assertThat(read.get("number").asLong()).isEqualTo(-9_223_372_036_854_775_807L);
    assertThat(read.get("took_ms").asDouble()).isEqualTo(12.034);
    assertThat(read.get("aborted").asBoolean()).isTrue();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(current())))
        .isEqualTo("rw-------");
  }

  @Test
  void whatIsWrittenGoesOnWhereItStopped() throws IOException {
    for (int i = 0; i < 2; i++) {
      try (AccessLog log = AccessLog.in(folder(), KEEP, 1 << 20)) {
        write(log.lines(), i);
      }
    }

    assertThat(Files.readAllLines(current())).hasSize(2);
  }

  @Test
  void allFilesTogetherStayWithinTheirBound() throws IOException {
    long most = 256 << 10;
    try (AccessLog log = AccessLog.in(folder(), KEEP, most)) {
      AccessLines lines = log.lines();
      for (int i = 0; i < 20_000; i++) {
        write(lines, i);
      }
    }

    long bytes = 0;
    for (Path file : files()) {
      bytes += Files.size(file);
      for (String line : Files.readAllLines(file)) {
        assertThat(line).startsWith("{").endsWith("}");
      }
    }
    // One block more than a file should have may be in each.
    assertThat(bytes).isBetween(1L, most + AccessLog.Block.BYTES * 2L);
    assertThat(files()).hasSizeGreaterThan(1);
  }

  @Test
  void aFileThatIsTooOldIsDeletedAndOthersAreLeft() throws IOException {
    Files.createDirectories(folder());
    Path old = Files.writeString(folder().resolve("access-20250101T000000000.log"), "{}\n");
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(15))));
    Path young = Files.writeString(folder().resolve("access-20260101T000000000.log"), "{}\n");
    Path other = Files.writeString(folder().resolve("other.log"), "");
    Files.setLastModifiedTime(other, FileTime.from(Instant.EPOCH));

    AccessLog.in(folder(), KEEP, 1 << 20).close();

    assertThat(old).doesNotExist();
    assertThat(young).exists();
    assertThat(other).exists();
  }

  @Test
  void linesAreLostAndCountedWhereTheDiskTakesNone() throws IOException {
    try (AccessLog log = AccessLog.in(folder(), KEEP, 1 << 20)) {
      AccessLines lines = log.lines();
      Files.delete(current());
      Files.createDirectory(current()); // It cannot be opened, as on a broken disk.
      write(lines, 1);
      untilLost(log, 1);
      Files.delete(current());
      write(lines, 2);
    }

    assertThat(Files.readString(current())).contains("\"number\":2").doesNotContain("\"number\":1");
  }

  @Test
  void whoeverWritesNeverWaits() {
    AccessLog log = AccessLog.in(folder(), KEEP, 1 << 20);
    log.close();
    AccessLines lines = log.lines();
    for (int i = 0; i < 3; i++) {
      write(lines, i); // Nobody takes it any more.
    }

    assertThat(log.lost()).isEqualTo(3);
  }

  @Test
  void oneThatIsOffWritesNothing() {
    try (AccessLog log = AccessLog.off()) {
      assertThat(log.isOn()).isFalse();
    }
    assertThat(folder()).doesNotExist();
  }

  private static void write(AccessLines lines, int number) {
    lines.begin(System.currentTimeMillis());
    lines.number(NUMBER, number);
    lines.text(TEXT, "x".repeat(50), 100);
    lines.end();
    if (number < 100) {
      lines.flush();
    }
  }

  private static void untilLost(AccessLog log, long lines) {
    long deadline = System.nanoTime() + Duration.ofSeconds(40).toNanos();
    while (log.lost() < lines) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private Path folder() {
    return temp.resolve("logs");
  }

  private Path current() {
    return folder().resolve("access.log");
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder())) {
      return files.toList();
    }
  }
}
