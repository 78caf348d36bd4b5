package dev.slipway.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.DomainId;
import dev.slipway.core.InstanceId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.Secret;
import dev.slipway.deployment.Plane;
import dev.slipway.domain.Domain;
import dev.slipway.domain.DomainJob;
import dev.slipway.domain.DomainService;
import dev.slipway.domain.DomainState;
import dev.slipway.domain.DomainStore;
import dev.slipway.edge.EdgeOptions;
import dev.slipway.edge.EdgeServer;
import dev.slipway.edge.HostCertificate;
import dev.slipway.edge.HttpsOptions;
import dev.slipway.edge.Route;
import dev.slipway.edge.RouteStore;
import dev.slipway.edge.RouteTable;
import dev.slipway.edge.Routes;
import dev.slipway.edge.Target;
import dev.slipway.edge.TestAuthority;
import dev.slipway.job.ManualJobs;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectStore;
import dev.slipway.site.Sites;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a real ACME server, by way of the real edge. */
class PebbleTest {
  private static final String WWW = "www.example.org";
  private static final String BLOG = "blog.example.org";

  @TempDir Path directory;
  private final Plane plane = new Plane();
  private final Project shop = plane.project("shop");
  private final EdgeServer edge =
      new EdgeServer(
          plane.vertx,
          new EdgeOptions("127.0.0.1", 0, "localhost", "localhost")
              .withHttps(new HttpsOptions(0, 443, Optional.empty())),
          _ -> CompletableFuture.failedFuture(new IllegalStateException("nothing to wake")),
          new Sites(_ -> {
            throw new IllegalStateException("no site");
          }),
          request -> request.response().end());
  private final DomainStore domainStore = new DomainStore();
  private final CertificateStore store = new CertificateStore(plane.vault);
  private final OrderStore orders = new OrderStore(plane.vault);
  private final TlsTables tables = new TlsTables(plane.database, store, orders, Optional.empty());
  private final Routes routes =
      new Routes(plane.database, new RouteStore(Plane.ADDRESSES, Duration.ofDays(1)));
  private final DomainService domains =
      new DomainService(
          plane.database,
          domainStore,
          new ProjectStore(plane.vault),
          routes,
          plane.dns.client(),
          Plane.ADDRESSES,
          Plane.MAX_DOMAINS,
          plane.clock);
  private final CertificateService certificates =
      new CertificateService(plane.database, store, orders, tables, domains, true, plane.clock);
  private Pebble pebble;
  private ManualJobs jobs;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    plane.clock.advance(Duration.between(plane.clock.instant(), Instant.now()));
    edge.start();
    tables.feed(edge::secure);
    tables.follow(plane.notifications);
    domains.tell(certificates);
    serve(WWW, BLOG);
    pebble = new Pebble(directory, edge.port(), plane.dns.address());
    jobs = jobs(pebble);
  }

  @AfterEach
  void close() {
    if (pebble != null) {
      pebble.close();
    }
    edge.close();
    plane.close();
  }

  @Test
  void aDomainIsServedByHttpsFromItsDnsAloneAndRenewedWithoutALostRequest() throws Exception {
    Domain www = add(WWW);
    assertThatThrownBy(() -> ask(WWW)).isInstanceOf(SSLHandshakeException.class);
    jobs.runDue();
    assertThat(ask(WWW).body()).isEqualTo("app");
    X509Certificate first = ask(WWW).certificate();
    assertThat(certificates.summary(www).chain().orElseThrow().host()).isEqualTo(first);
    assertThat(certificates.summary(www).problem()).isEmpty();
    assertThat(plane.count("acme_challenge")).isZero();
    assertThat(plane.count("certificate_order")).isZero();

    try (Visitors visitors = new Visitors()) {
      visitors.await(5);
      add(BLOG);
      jobs.runDue();
      assertThat(ask(BLOG).body()).isEqualTo("app");
      assertThat(plane.count("acme_account")).isEqualTo(1);

      plane.clock.advance(Duration.ofDays(55));
      jobs.runDue();
      assertThat(ask(WWW).certificate()).isEqualTo(first);
      plane.clock.advance(Duration.ofDays(5));
      jobs.runDue();
      assertThat(ask(WWW).certificate()).isNotEqualTo(first);
      visitors.await(5);
    }
  }

  @Test
  void aRefusedOrderIsASentenceAndTriedAgainLater() throws Exception {
    Domain www = add(WWW);
    // The CNAME says that the name is ours, but the authority is led to where nobody answers it.
    plane.dns.forget("shop.localhost").address("shop.localhost", "127.0.0.9");
    jobs.runDue();
    assertThat(certificates.summary(www).chain()).isEmpty();
    assertThat(certificates.summary(www).problem().orElse(""))
        .startsWith("The certificate authority refused: ");
    assertThatThrownBy(() -> ask(WWW)).isInstanceOf(SSLHandshakeException.class);

    plane.dns.forget("shop.localhost").address("shop.localhost", "127.0.0.1");
    plane.clock.advance(Duration.ofMinutes(1));
    jobs.runDue();
    assertThat(certificates.summary(www).chain()).isEmpty();
    plane.clock.advance(Duration.ofMinutes(5));
    jobs.runDue();
    assertThat(ask(WWW).body()).isEqualTo("app");
    assertThat(certificates.summary(www).problem()).isEmpty();
  }

  @Test
  void anOrderThatTheAuthorityHasForgottenIsMadeAnew() throws Exception {
    Domain www = add(WWW);
    pebble.close();
    jobs.runDue();
    assertThat(certificates.summary(www).problem().orElse("")).contains("was not reached");

    pebble = new Pebble(directory, edge.port(), plane.dns.address());
    jobs = jobs(pebble);
    // As if it had been interrupted right after it was written down, and then expired.
    URL gone = pebble.directory().resolve("/my-order/gone").toURL();
    plane.database.useTransaction(
        tx -> orders.begin(tx, www.id(), new OrderStore.UnderWay(gone, EcKeys.next())));
    plane.clock.advance(Duration.ofHours(1));
    jobs.runDue();
    assertThat(certificates.summary(www).problem().orElse("")).contains("refused");
    plane.clock.advance(Duration.ofHours(1));
    jobs.runDue();
    assertThat(ask(WWW).body()).isEqualTo("app");
  }

  @Test
  void aCertificateOfTheUsersOwnIsNotReplacedAndOneIsOrderedWhenItIsDeleted() throws Exception {
    TestAuthority other = new TestAuthority();
    Instant now = Instant.now();
    HostCertificate own =
        other.issue("EC", now.minusSeconds(60), now.plus(Duration.ofDays(400)), WWW);
    Domain www = add(WWW);
    certificates.put(
        plane.account,
        shop.id(),
        www.id(),
        TestAuthority.pem(own.chain()),
        new Secret(TestAuthority.pem("PRIVATE KEY", own.key().getEncoded())));
    jobs.runDue();
    eventually(() -> ask(WWW, other.trust()).certificate().equals(own.chain().getFirst()));

    certificates.remove(plane.account, shop.id(), www.id());
    assertThatThrownBy(() -> ask(WWW, other.trust())).isInstanceOf(SSLHandshakeException.class);
    jobs.runDue();
    assertThat(ask(WWW).body()).isEqualTo("app");
    assertThat(read(www).state().status()).isEqualTo(DomainState.Status.ACTIVE);
    domains.remove(plane.account, shop.id(), www.id());
    eventually(() -> !isServed(WWW));
    assertThat(plane.count("certificate")).isZero();
  }

  private Domain add(String name) {
    plane
        .dns
        .forget("shop.localhost")
        .address("shop.localhost", "127.0.0.1")
        .alias(name, "shop.localhost");
    return domains.add(plane.account, shop.id(), name, Optional.empty());
  }

  private Domain read(Domain domain) {
    DomainId id = domain.id();
    return plane.database.read(tx -> domainStore.find(tx, id)).orElseThrow();
  }

  private ManualJobs jobs(Pebble running) {
    Authority authority =
        new Authority(
            plane.database,
            orders,
            tables,
            new Authority.Settings(
                running.directory(), "admin@example.org", Optional.of(running.trust())));
    return new ManualJobs(
        plane.database,
        plane.clock,
        List.of(
            new DomainJob(
                plane.database,
                domainStore,
                plane.dns.client(),
                Plane.ADDRESSES,
                routes,
                certificates,
                plane.clock),
            new CertificateJob(
                plane.database,
                domainStore,
                store,
                orders,
                tables,
                Optional.of(authority),
                plane.clock)));
  }

  /** Leads names to an app. */
  private void serve(String... names) {
    int port =
        plane
            .vertx
            .createHttpServer()
            .requestHandler(request -> request.response().end("app"))
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .join()
            .actualPort();
    Route route =
        new Route(
            ProjectId.next(),
            DeploymentId.next(),
            false,
            List.of(new Target(InstanceId.next(), "127.0.0.1", port)));
    edge.apply(
        new RouteTable(
            1, Arrays.stream(names).collect(Collectors.toMap(name -> name, _ -> route))));
  }

  private record Answer(String body, X509Certificate certificate) {}

  private Answer ask(String host) throws Exception {
    return ask(host, TestAuthority.trusting(pebble.root().host()));
  }

  /** By a connection of its own. */
  private Answer ask(String host, SSLContext trust) throws IOException {
    try (SSLSocket socket =
        (SSLSocket)
            trust
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), edge.securePort())) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setServerNames(List.of(new SNIHostName(host)));
      socket.setSSLParameters(parameters);
      socket.setSoTimeout(60_000);
      socket.startHandshake();
      socket
          .getOutputStream()
          .write(
              "GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                  .formatted(host)
                  .getBytes(StandardCharsets.US_ASCII));
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      List<String> lines = in.lines().toList();
      assertThat(lines.getFirst()).isEqualTo("HTTP/1.1 200 OK");
      return new Answer(
          lines.getLast(), (X509Certificate) socket.getSession().getPeerCertificates()[0]);
    }
  }

  private boolean isServed(String host) throws Exception {
    try {
      return ask(host).certificate() != null;
    } catch (SSLHandshakeException e) {
      return false;
    }
  }

  /** What a notification of the store tells: soon, but not at once. */
  private static void eventually(Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(40).toNanos();
    while (!holds(condition)) {
      assertThat(System.nanoTime()).as("in good time").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private static boolean holds(Callable<Boolean> condition) throws Exception {
    try {
      return condition.call();
    } catch (SSLHandshakeException e) {
      return false;
    }
  }

  /** Ask for {@link #WWW} again and again; not one of them may fail. */
  private final class Visitors implements AutoCloseable {
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger answers = new AtomicInteger();
    private final ConcurrentLinkedQueue<Throwable> lost = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> visits;

    Visitors() throws Exception {
      SSLContext trust = TestAuthority.trusting(pebble.root().host());
      visits =
          CompletableFuture.runAsync(
              () -> {
                while (!over.get()) {
                  try {
                    ask(WWW, trust);
                    answers.incrementAndGet();
                  } catch (IOException | AssertionError e) {
                    lost.add(e);
                  }
                }
              },
              Thread::startVirtualThread);
    }

    /** Until so many more have been answered. */
    void await(int more) {
      int enough = answers.get() + more;
      while (answers.get() < enough && lost.isEmpty()) {
        Thread.onSpinWait();
      }
    }

    @Override
    public void close() {
      over.set(true);
      visits.join();
      assertThat(lost).isEmpty();
    }
  }
}
