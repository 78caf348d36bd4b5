package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.edge.HostCertificate;
import dev.slipway.edge.TestAuthority;
import dev.slipway.project.Project;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ApiCertificateTest {
  private final ApiPlace api = new ApiPlace();
  private final Project shop = api.plane.project("shop");
  private final TestAuthority authority = new TestAuthority();
  private final HostCertificate own = authority.issue("www.example.org");
  private final String domain = add("www.example.org");

  @BeforeEach
  void comeToThePresent() {
    api.plane.clock.advance(
        Duration.between(
                api.plane.clock.instant(), own.chain().getFirst().getNotBefore().toInstant())
            .plusSeconds(60));
  }

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void aCertificateThatWasUploadedIsShownWithoutItsKey() {
    ApiPlace.Reply put = put(domain, own, own);

    assertThat(put.status()).isEqualTo(200);
    assertThat(put.data().at("/certificate/origin").asText()).isEqualTo("uploaded");
    assertThat(put.data().at("/certificate/issuer").asText()).isEqualTo("Test Authority");
    assertThat(put.data().at("/certificate/expires_at").asText()).startsWith("20");
    assertThat(put.body()).doesNotContain("PRIVATE KEY");
    assertThat(api.get(domain).data()).isEqualTo(put.data());
    byte[] stored =
        api.plane.database.read(
            tx -> tx.createQuery("SELECT private_key FROM certificate").mapTo(byte[].class).one());
    assertThat(new String(stored, StandardCharsets.ISO_8859_1))
        .doesNotContain(new String(own.key().getEncoded(), StandardCharsets.ISO_8859_1));
  }

  @Test
  void oneThatWillSoonExpireIsTold() {
    put(domain, own, own);

    api.plane.clock.advance(Duration.ofDays(80));
    assertThat(api.get(domain).data().get("problem").asText())
        .contains("DNS has not been looked at");
    api.plane.dns.alias("www.example.org", "shop.localhost");
    api.plane.main.jobs.runDue();
    assertThat(api.get(domain).data().get("problem").asText())
        .contains("uploaded is valid until", "upload the next one");
  }

  @Test
  void whatCannotBeServedIsRefusedWithTheReason() {
    assertThat(put(domain, own, authority.issue("www.example.org")).message())
        .isEqualTo("private_key: is not the key of the first certificate.");
    HostCertificate other = authority.issue("other.example.org");
    assertThat(put(domain, other, other).message())
        .isEqualTo("certificate: is for other.example.org, not for www.example.org.");
    api.plane.clock.advance(Duration.ofDays(100));
    assertThat(put(domain, own, own).message()).contains("certificate: has expired");
    ApiPlace.Reply nonsense =
        api.call(
            "PUT",
            domain + "/certificate",
            ApiPlace.json(Map.of("certificate", "x", "private_key", "my secret")));
    assertThat(nonsense.status()).isEqualTo(400);
    assertThat(nonsense.message()).doesNotContain("my secret");
    assertThat(api.plane.count("certificate")).isZero();
  }

  @Test
  void oneThatWasUploadedCanBeDeleted() {
    assertThat(api.call("DELETE", domain + "/certificate", "").status()).isEqualTo(404);
    put(domain, own, own);

    assertThat(api.call("DELETE", domain + "/certificate", "").status()).isEqualTo(200);
    assertThat(api.get(domain).data().has("certificate")).isFalse();
    put(domain, own, own);
    assertThat(api.call("DELETE", domain, "").status()).isEqualTo(200);
    assertThat(api.plane.count("certificate")).isZero();
  }

  private String add(String name) {
    String domains = "/v1/projects/" + shop.id() + "/domains";
    return domains
        + "/"
        + api.post(domains, ApiPlace.json(Map.of("name", name))).data().get("id").asText();
  }

  private ApiPlace.Reply put(String of, HostCertificate chain, HostCertificate key) {
    return api.call(
        "PUT",
        of + "/certificate",
        ApiPlace.json(
            Map.of(
                "certificate",
                TestAuthority.pem(chain.chain()),
                "private_key",
                TestAuthority.pem("PRIVATE KEY", key.key().getEncoded()))));
  }
}
