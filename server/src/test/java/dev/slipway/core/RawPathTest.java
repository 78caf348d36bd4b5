package dev.slipway.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawPathTest {
  @ParameterizedTest
  @ValueSource(strings = {"a/b.txt", "/etc/passwd", "../a/../b", "zwei\nzeilen %41", "grüße/ß", ""})
  void aPathComesBackAsItWas(String text) {
    Path path = Path.of(text);

    assertThat(RawPath.path(RawPath.encode(path))).isEqualTo(path);
  }

  @Test
  void theTextFormIsOneWordOfAscii() {
    assertThat(RawPath.encode(Path.of("zwei zeilen\nä"))).isEqualTo("zwei%20zeilen%0A%C3%A4");
  }

  @Test
  void bytesThatAreNoUtf8Survive() {
    byte[] name = {'a', (byte) 0xff, 'b'};

    Path path = RawPath.path(RawPath.encode(name));

    assertThat(path.toUri().getRawPath()).endsWith("/a%FFb");
    assertThat(RawPath.encode(path)).isEqualTo("a%FFb");
  }

  @Test
  void bytesAndPathsHaveTheSameTextForm() {
    byte[] name = "x/ä b".getBytes(StandardCharsets.UTF_8);

    assertThat(RawPath.encode(name)).isEqualTo(RawPath.encode(Path.of("x/ä b")));
  }

  @Test
  void aDirectoryThatExistsGetsNoSlash() {
    assertThat(RawPath.encode(Path.of("/tmp"))).isEqualTo("/tmp");
  }
}
