package dev.slipway.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateAddressesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "10.1.2.3",
        "100.100.100.200",
        "127.0.0.1",
        "127.255.0.1",
        "168.63.129.16",
        "169.254.169.254",
        "172.31.255.255",
        "192.0.0.192",
        "192.168.1.1",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
      })
  void areThoseOfThisMachineAndOfWhatIsAroundIt(String address) {
    assertThat(PrivateAddresses.contain(InetAddress.ofLiteral(address))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "100.128.0.1",
        "140.82.121.4",
        "172.32.0.1",
        "192.0.1.1",
        "2606:4700::1111",
        "2a00:1450:4001::1",
        "64:ff9b::8c52:7904",
      })
  void areNotThoseOfTheInternet(String address) {
    assertThat(PrivateAddresses.contain(InetAddress.ofLiteral(address))).isFalse();
  }

  @Test
  void areThoseOfVersionFourHoweverTheyAreWritten() throws UnknownHostException {
    byte[] mapped = HexFormat.of().parseHex("00000000000000000000ffff" + "7f000001");

    assertThat(PrivateAddresses.contain(Inet6Address.getByAddress(null, mapped, -1))).isTrue();
  }
}
