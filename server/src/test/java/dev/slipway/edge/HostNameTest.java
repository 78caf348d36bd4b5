package dev.slipway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.edge.HostName.Malformed;
import dev.slipway.edge.HostName.Name;
import dev.slipway.edge.HostName.Unnamed;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostNameTest {
  @ParameterizedTest
  @CsvSource({
    "shop.localhost, shop.localhost",
    "Shop.LocalHost:8080, shop.localhost",
    "shop.localhost., shop.localhost",
    "shop.localhost.:1, shop.localhost",
    "localhost:, localhost",
    "a_b--c.example.org:65535, a_b--c.example.org",
    "1.example.org, 1.example.org",
    "1.2.3.4.5, 1.2.3.4.5",
    "1234.1.1.1, 1234.1.1.1",
    "-, -",
  })
  void aNameIsReadWithoutItsPort(String host, String name) {
    assertThat(HostName.parse(Optional.of(host))).isEqualTo(new Name(name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.0.0.1:80",
        "127.0.0.1.",
        "[::1]",
        "[::1]:8080",
        "[fe80::1%25eth0]",
        ""
      })
  void anAddressIsNoName(String host) {
    assertThat(HostName.parse(Optional.of(host))).isEqualTo(new Unnamed());
    assertThat(HostName.parse(Optional.empty())).isEqualTo(new Unnamed());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".",
        "..",
        ".a",
        "a..b",
        "a..",
        ":80",
        "a:b",
        "a:80:80",
        "a:123456",
        "a b",
        "a/b",
        "a@b",
        "ü.example.org",
        "a\t",
        "[::1",
        "[::1]x",
        "[x]",
        "a:٣"
      })
  void whatIsNoHostIsMalformed(String host) {
    assertThat(HostName.parse(Optional.of(host))).isEqualTo(new Malformed());
  }

  @Test
  void whatIsLongerThanAnyNameIsMalformed() {
    assertThat(HostName.parse(Optional.of("a".repeat(261)))).isEqualTo(new Malformed());
  }
}
