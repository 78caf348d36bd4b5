package dev.slipway.database.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.slipway.core.AppFailure;
import dev.slipway.core.Eventually;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Secret;
import dev.slipway.core.TransientException;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.db.PostgresSettings;
import dev.slipway.db.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ApplicationsClusterTest {
  private static final DatabaseLogin LOGIN = new DatabaseLogin("db_shop_1", new Secret("secret-1"));

  private final Path folder = TestPostgres.folder();
  private final PostgresSettings settings = TestPostgres.settings(folder);

  @AfterEach
  void endAndDelete() {
    new ApplicationsCluster(settings).endEverything();
    TestPostgres.delete(folder);
  }

  @Test
  void isNotThereBeforeItIsNeeded() {
    try (ApplicationsCluster cluster = new ApplicationsCluster(settings)) {
      cluster.startIfMade();
      assertThat(cluster.server().place("db_shop").port()).isBetween(32_000, 32_767);
      assertThat(cluster.exists()).isFalse();
    }
  }

  @Test
  void goesOnWithoutTheServerAndIsTakenOverByTheNext() throws Exception {
    long postmaster;
    int port;
    try (ApplicationsCluster first = new ApplicationsCluster(settings)) {
      first.server().create("db_shop", LOGIN);
      postmaster = postmaster();
      port = first.server().place("db_shop").port();
    }
    assertThat(ProcessHandle.of(postmaster)).isPresent();
    try (ApplicationsCluster next = new ApplicationsCluster(settings)) {
      assertThat(next.administrator().place().host()).isEqualTo("127.0.0.1");
      assertThat(next.server().facts("db_shop").sizeBytes()).isPositive();
      assertThat(next.server().place("db_shop").port()).isEqualTo(port);
      assertThat(postmaster()).isEqualTo(postmaster);
    }
  }

  @Test
  void goesOnWhenTheServerIsKilled() throws Exception {
    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                ClusterOwner.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(server.inputReader().readLine()).isEqualTo("up");
    long postmaster = postmaster();
    server.destroyForcibly().waitFor();

    try (ApplicationsCluster next = new ApplicationsCluster(settings)) {
      assertThat(next.administrator().place().host()).isEqualTo("127.0.0.1");
      assertThat(next.server().facts("db_shop").version()).startsWith("PostgreSQL");
      assertThat(postmaster()).isEqualTo(postmaster);
    }
  }

  @Test
  void isStartedAgainAtTheSamePlaceWhenItDies() throws Exception {
    try (ApplicationsCluster cluster = new ApplicationsCluster(settings)) {
      cluster.server().create("db_shop", LOGIN);
      int port = cluster.server().place("db_shop").port();
      long killed = postmaster();
      ProcessHandle.of(killed).orElseThrow().destroyForcibly();

      Eventually.holds("it is back", () -> answers(cluster) && postmasterOr(killed) != killed);
      assertThat(cluster.server().place("db_shop").port()).isEqualTo(port);
    }
  }

  @Test
  void endsWithAllItsDatabasesWhenItIsToldTo() throws Exception {
    ApplicationsCluster cluster = new ApplicationsCluster(settings);
    cluster.server().create("db_shop", LOGIN);
    ProcessHandle postmaster = ProcessHandle.of(postmaster()).orElseThrow();
    cluster.close();
    cluster.endEverything();

    postmaster.onExit().join();
    assertThatThrownBy(cluster::administrator).isInstanceOf(TransientException.class);
  }

  @Test
  void doesNotMoveElsewhereWhenSomebodyHasItsPort() throws Exception {
    ApplicationsCluster first = new ApplicationsCluster(settings);
    first.server().create("db_shop", LOGIN);
    int port = first.server().place("db_shop").port();
    first.endEverything();

    try (ApplicationsCluster next = new ApplicationsCluster(settings)) {
      ServerSocket stranger = stranger(port);
      try {
        assertThatThrownBy(next::administrator)
            .isInstanceOfSatisfying(
                AppFailure.class,
                failure ->
                    assertThat(failure.failure().code())
                        .isEqualTo(FailureCode.DATABASE_UNREACHABLE))
            .hasMessageContaining("another program listens on port " + port);
      } finally {
        stranger.close();
      }
      var _ = next.administrator();
      assertThat(next.server().facts("db_shop").sizeBytes()).isPositive();
    }
  }

  @Test
  void comesUpAheadWhereThereIsOne() {
    ApplicationsCluster first = new ApplicationsCluster(settings);
    first.server().create("db_shop", LOGIN);
    first.endEverything();
    try (ApplicationsCluster next = new ApplicationsCluster(settings)) {
      next.startIfMade();
      Eventually.holds("it is up", () -> postmasterOr(0) != 0 && answers(next));
    }
  }

  @Test
  void isTriedAgainUntilItsFirstStartSucceeds() throws Exception {
    ApplicationsCluster first = new ApplicationsCluster(settings);
    int port = first.administrator().place().port();
    first.endEverything();
    try (ApplicationsCluster next = new ApplicationsCluster(settings)) {
      ServerSocket stranger = stranger(port);
      try {
        next.startIfMade();
        assertThatThrownBy(next::administrator).isInstanceOf(AppFailure.class);
      } finally {
        stranger.close();
      }
      Eventually.holds("it is up", () -> postmasterOr(0) != 0);
    }
  }

  @Test
  void whoStopsWaitingDoesNotEndTheStart() throws Exception {
    try (ApplicationsCluster cluster = new ApplicationsCluster(settings)) {
      assertThat(cluster.server().place("db_shop").port()).isPositive(); // chosen ahead of it
      CompletableFuture<Throwable> thrown = new CompletableFuture<>();
      Thread impatient =
          Thread.ofPlatform().start(() -> thrown.complete(catchThrowable(cluster::administrator)));
      impatient.interrupt();
      assertThat(thrown.join()).isInstanceOf(TransientException.class);
      cluster.server().create("db_shop", LOGIN);
      assertThat(answers(cluster)).isTrue();
    }
  }

  @Test
  void aQuestionStartsNothing() {
    ApplicationsCluster first = new ApplicationsCluster(settings);
    first.server().create("db_shop", LOGIN);
    first.endEverything();
    try (ApplicationsCluster next = new ApplicationsCluster(settings)) {
      assertThatThrownBy(() -> next.server().facts("db_shop"))
          .isInstanceOf(AppFailure.class)
          .hasMessageContaining("not up");
      assertThat(postmasterOr(0)).isZero();
    }
  }

  private static ServerSocket stranger(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }

  private boolean answers(ApplicationsCluster cluster) {
    try {
      return cluster.server().facts("db_shop").sizeBytes() > 0;
    } catch (AppFailure e) {
      return false;
    }
  }

  private long postmasterOr(long other) {
    try {
      // It is empty for a moment, before PostgreSQL has written it.
      return Files.size(postmasterFile()) == 0 ? other : postmaster();
    } catch (IOException e) {
      return other;
    }
  }

  private long postmaster() throws IOException {
    return Long.parseLong(Files.readAllLines(postmasterFile()).getFirst().strip());
  }

  private Path postmasterFile() {
    return settings.home().resolve("cluster").resolve("postmaster.pid");
  }
}
