package dev.slipway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.InstanceId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.ReleaseId;
import dev.slipway.site.Site;
import dev.slipway.vault.Vault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EdgeMemoryTest {
  private static final Site SITE =
      new Site(new ReleaseId("rel_1"), "dist", Optional.of("index.html"), true, "");
  private static final Route SHOP =
      new Route(
          ProjectId.next(),
          DeploymentId.next(),
          false,
          List.of(new Target(InstanceId.next(), "127.0.0.1", 21_000)));
  private static final Route PAGES =
      new Route(
          ProjectId.next(),
          DeploymentId.next(),
          true,
          List.of(),
          Optional.of(SITE),
          List.of(new Route.Earlier(SITE, Instant.parse("2030-01-01T00:00:00.5Z"))));
  private static final RouteTable TABLE =
      new RouteTable(7, Map.of("shop.localhost", SHOP, "pages.localhost", PAGES));

  @TempDir private Path directory;
  private final TestEdge edge = new TestEdge();

  @AfterEach
  void close() {
    edge.close();
  }

  @Test
  void routesAreReadAsTheyWereWritten() {
    assertThat(TableText.readRoutes(TableText.write(TABLE))).isEqualTo(TABLE);
  }

  @Test
  void whatWasTakenLastServesAfterAStart() throws IOException {
    try (EdgeMemory memory = memory()) {
      memory.apply(new RouteTable(6, Map.of()));
      memory.apply(TABLE);
      memory.apply(new RouteTable(5, Map.of())); // too late
    }

    try (TestEdge second = new TestEdge();
        EdgeMemory memory = memory(second)) {
      assertThat(memory.recall(UnaryOperator.identity())).isTrue();
      assertThat(second.edge.version()).isEqualTo(7);
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file("routes.json"))))
        .isEqualTo("rw-------");
  }

  @Test
  void aTableOfTheStoreCountsThoughTheOneOnDiskIsNewer() throws IOException {
    try (EdgeMemory memory = memory()) {
      memory.apply(TABLE);
      memory.reset(new RouteTable(3, Map.of()));
    }

    try (EdgeMemory memory = memory()) {
      assertThat(memory.recall(UnaryOperator.identity())).isTrue();
      assertThat(edge.edge.version()).isEqualTo(3);
    }
  }

  @Test
  void whileAnotherProcessMayWriteTheFilesNothingIsWritten() throws IOException {
    EdgeMemory memory = new EdgeMemory(EdgeFolder.below(directory), vault(), edge.edge);
    memory.apply(new RouteTable(6, Map.of()));
    memory.apply(TABLE);
    assertThat(file("routes.json")).doesNotExist();

    memory.begin();
    memory.close();
    memory.apply(new RouteTable(8, Map.of()));
    memory.close();

    assertThat(TableText.readRoutes(Files.readString(file("routes.json")))).isEqualTo(TABLE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "{\"version\":7,\"routes\":{\"shop.loc", "{\"version\":7}", "[]", "null"})
  void aFileThatIsBrokenIsAsNone(String text) throws IOException {
    Files.writeString(EdgeFolder.below(directory).routes(), text);
    Files.writeString(EdgeFolder.below(directory).certificates(), text);

    try (EdgeMemory memory = memory()) {
      assertThat(memory.recall(UnaryOperator.identity())).isFalse();
    }
    assertThat(edge.edge.version()).isZero();
  }

  @Test
  void certificatesComeBackAndTheirKeysCannotBeReadOnDisk() throws IOException {
    HostCertificate certificate = new TestAuthority().issue("www.example.org");
    TlsTable table =
        new TlsTable(
            Map.of("www.example.org", certificate), Optional.of(certificate), Map.of("t", "k"));
    try (EdgeMemory memory = memory()) {
      memory.secure(table);
    }

    String text = Files.readString(file("certificates"));
    assertThat(new String(Base64.getDecoder().decode(text), StandardCharsets.ISO_8859_1))
        .doesNotContain("www.example.org")
        .doesNotContain(Base64.getEncoder().encodeToString(certificate.key().getEncoded()));
    assertThat(TableText.readCertificates(text, vault()))
        .isEqualTo(
            new TlsTable(Map.of("www.example.org", certificate), Optional.empty(), Map.of()));
  }

  @Test
  void whatTheConfigurationBringsIsServedWithoutAFile() throws IOException {
    HostCertificate own = new TestAuthority().issue("localhost");
    List<TlsTable> secured = new ArrayList<>();
    try (EdgeMemory memory = memory()) {
      assertThat(
              memory.recall(table -> {
                secured.add(table);
                return new TlsTable(table.certificates(), Optional.of(own), table.challenges());
              }))
          .isFalse();
    }
    assertThat(secured).containsExactly(TlsTable.EMPTY);
  }

  private EdgeMemory memory() throws IOException {
    return memory(edge);
  }

  private EdgeMemory memory(TestEdge of) throws IOException {
    EdgeMemory memory = new EdgeMemory(EdgeFolder.below(directory), vault(), of.edge);
    memory.begin();
    return memory;
  }

  private Vault vault() throws IOException {
    return Vault.open(directory.resolve("master.json"));
  }

  private Path file(String name) {
    return directory.resolve("edge").resolve(name);
  }
}
