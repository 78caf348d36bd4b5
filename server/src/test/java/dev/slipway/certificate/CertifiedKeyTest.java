package dev.slipway.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.Secret;
import dev.slipway.edge.HostCertificate;
import dev.slipway.edge.TestAuthority;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertifiedKeyTest {
  private static final String WWW = "www.example.org";
  private final TestAuthority authority = new TestAuthority();
  private final Instant now = Instant.now();

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA"})
  void aChainAndItsKeyAreRead(String algorithm) {
    HostCertificate made =
        authority.issue(algorithm, now.minusSeconds(60), now.plus(Duration.ofDays(1)), WWW);

    CertifiedKey read = CertifiedKey.read(TestAuthority.pem(made.chain()), key(made));

    assertThat(read.chain().certificates()).isEqualTo(made.chain());
    assertThat(read.key()).isEqualTo(made.key());
    assertThat(read.chain().issuer()).isEqualTo("Test Authority");
    assertThat(CertificateChain.parse(read.chain().pem())).contains(read.chain());
    assertThat(read.unfit(WWW, now)).isEmpty();
  }

  @Test
  void whatDoesNotBelongTogetherIsToldWithItsPlace() {
    HostCertificate one = authority.issue(WWW);
    HostCertificate two = authority.issue(WWW);
    String chain = TestAuthority.pem(one.chain());

    assertThatThrownBy(() -> CertifiedKey.read(chain, key(two)))
        .hasMessage("is not the key of the first certificate");
    assertThatThrownBy(() -> CertifiedKey.read("hello", key(one)))
        .hasMessageStartingWith("is no certificate in PEM");
    assertThatThrownBy(() -> CertifiedKey.read("", key(one)))
        .hasMessageStartingWith("is no certificate in PEM");
    assertThatThrownBy(() -> CertifiedKey.read(chain, new Secret("hello")))
        .hasMessageStartingWith("is no private key in PEM");
    assertThatThrownBy(() ->
            CertifiedKey.read(
                chain, new Secret(TestAuthority.pem("PRIVATE KEY", new byte[] {1, 2, 3}))))
        .hasMessageStartingWith("is no private key in PEM");
    assertThatThrownBy(() -> CertifiedKey.read(TestAuthority.pem(one.chain().reversed()), key(one)))
        .hasMessage("is not the key of the first certificate");
    assertThatThrownBy(() ->
            CertifiedKey.read(
                TestAuthority.pem(List.of(one.chain().getFirst(), new TestAuthority().root())),
                key(one)))
        .hasMessage("is out of order: number 2 did not issue number 1");
  }

  @Test
  void aCertificateIsForItsNamesAndItsTime() {
    CertifiedKey star = certified("*.example.org", "example.org");

    assertThat(star.unfit(WWW, now)).isEmpty();
    assertThat(star.unfit("example.org", now)).isEmpty();
    assertThat(star.unfit("a.b.example.org", now).orElse("")).startsWith("is for *.example.org");
    assertThat(star.unfit("example.com", now)).isPresent();
    assertThat(star.unfit(WWW, now.plus(Duration.ofDays(91))).orElse("")).startsWith("has expired");
    assertThat(star.unfit(WWW, now.minus(Duration.ofDays(1))).orElse(""))
        .startsWith("is not valid before");
  }

  @Test
  void aCertificateIsRenewedWithAThirdOfItsLifeLeftAndNotAllOfThemAtOnce() {
    CertificateChain chain = certified(WWW).chain();

    Instant one = Renewal.due("dom_a", chain);
    Instant two = Renewal.due("dom_b", chain);
    assertThat(one).isNotEqualTo(two);
    assertThat(List.of(one, two))
        .allSatisfy(due ->
            assertThat(due)
                .isBetween(
                    chain.expiresAt().minus(Duration.ofDays(34)),
                    chain.expiresAt().minus(Duration.ofDays(30))));
  }

  private CertifiedKey certified(String... names) {
    HostCertificate made = authority.issue(names);
    return new CertifiedKey(new CertificateChain(made.chain()), made.key());
  }

  private static Secret key(HostCertificate made) {
    return new Secret(TestAuthority.pem("PRIVATE KEY", made.key().getEncoded()));
  }
}
