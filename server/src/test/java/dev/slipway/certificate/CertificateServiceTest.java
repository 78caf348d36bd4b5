package dev.slipway.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Secret;
import dev.slipway.deployment.Plane;
import dev.slipway.domain.Domain;
import dev.slipway.edge.HostCertificate;
import dev.slipway.edge.TestAuthority;
import dev.slipway.job.Jobs;
import dev.slipway.project.Project;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When certificates are ordered. */
class CertificateServiceTest {
  private static final String NAME = "www.example.org";
  private final Plane plane = new Plane();
  private final Project shop = plane.project("shop");
  private final CertificateStore store = new CertificateStore(plane.vault);
  private final OrderStore orders = new OrderStore(plane.vault);
  private final CertificateService certificates =
      new CertificateService(
          plane.database,
          store,
          orders,
          new TlsTables(plane.database, store, orders, Optional.empty()),
          plane.main.domains,
          true,
          plane.clock);
  private final Domain www =
      plane.main.domains.add(plane.account, shop.id(), NAME, Optional.empty());

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void whereTheUploadedOneIsDeletedAnotherIsOrderedAtOnce() {
    plane.clock.advance(Duration.between(plane.clock.instant(), Instant.now()));
    upload();
    plane.database.useTransaction(tx ->
        Jobs.schedule(
            tx, CertificateJob.KIND, www.id().value(), plane.clock.instant().plusSeconds(9_999)));

    certificates.remove(plane.account, shop.id(), www.id());

    assertThat(due()).containsExactly(www.id().value());
    assertThat(certificates.summary(www).chain()).isEmpty();
  }

  private void upload() {
    HostCertificate own = new TestAuthority().issue(NAME);
    var _ =
        certificates.put(
            plane.account,
            shop.id(),
            www.id(),
            TestAuthority.pem(own.chain()),
            new Secret(TestAuthority.pem("PRIVATE KEY", own.key().getEncoded())));
  }

  private List<String> due() {
    return plane.database.read(tx ->
        tx.createQuery("SELECT task_instance FROM certificate_tasks WHERE execution_time <= ?")
            .bind(0, plane.clock.instant())
            .mapTo(String.class)
            .list());
  }
}
