package dev.slipway.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DomainNameTest {
  @ParameterizedTest
  @CsvSource({
    "www.example.org, www.example.org",
    "WWW.Example.ORG, www.example.org",
    "www.example.org., www.example.org",
    "bücher.example, xn--bcher-kva.example",
    "BÜCHER.example, xn--bcher-kva.example",
    "例え.jp, xn--r8jz45g.jp",
    "1.example.org, 1.example.org",
    "3com.example, 3com.example"
  })
  void aNameIsWrittenAsDnsHasIt(String given, String expected) {
    String text = DomainName.normalized(given);

    assertThat(DomainName.fault(text)).isEmpty();
    assertThat(new DomainName(text).value()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "192.0.2.1",
        "127.1",
        "1.2.3.4.",
        "0x7f.1",
        "2130706433",
        "0x7f000001",
        "::1",
        "[2001:db8::1]",
        "example.123",
        "www.example.org:80"
      })
  void anAddressIsNone(String given) {
    assertThat(DomainName.fault(DomainName.normalized(given))).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "localhost",
        "example",
        "-a.example",
        "a-.example",
        "a..example",
        ".example.org",
        "a_b.example",
        "*.example.org",
        "a b.example",
        "http://example.org",
        "example.org/x",
        "a@example.org",
        "xn--\u0000.example",
        "\u202eexample.org"
      })
  void whatIsMalformedIsRefused(String given) {
    String text = DomainName.normalized(given);

    assertThat(DomainName.fault(text)).isPresent();
    assertThatThrownBy(() -> new DomainName(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void labelsAndNamesHaveTheirLimits() {
    String label = "a".repeat(63);

    assertThat(DomainName.fault(label + ".example")).isEmpty();
    assertThat(DomainName.fault(label + "a.example")).isPresent();
    assertThat(DomainName.fault("%1$s.%1$s.%1$s.%1$s".formatted(label))).isPresent();
  }
}
