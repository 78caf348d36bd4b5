package dev.slipway.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.1.2, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "192.168.4.0/22, 192.168.7.255, true",
    "192.168.4.0/22, 192.168.8.0, false",
    "0.0.0.0/0, 203.0.113.9, true",
    "0.0.0.0/0, ::1, false",
    "203.0.113.9, 203.0.113.9, true",
    "203.0.113.9, 203.0.113.8, false",
    "fd00::/8, fdff::1, true",
    "fd00::/8, fe80::1, false",
  })
  void containsWhatSharesItsPrefix(String range, String address, boolean expected) {
    assertThat(Cidr.parse(range).contains(InetAddress.ofLiteral(address))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "example.org", "", "/8"})
  void whatIsNoRangeIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Cidr.parse(text));
  }

  @Test
  void theReasonIsASentence() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Cidr.parse("10.0.0.0/33"))
        .withMessage("the prefix of 10.0.0.0 must be 0 to 32, not 33");
  }
}
