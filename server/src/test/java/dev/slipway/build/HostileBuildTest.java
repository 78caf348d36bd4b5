package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.slipway.core.AppFailure;
import dev.slipway.core.EnvVars;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Limits;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.sandbox.SandboxSpec;
import dev.slipway.sandbox.SandboxedProcess;
import dev.slipway.sandbox.Trees;
import dev.slipway.source.git.GitRepository;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Builds that mean harm, beside a program that must not notice. What takes too much memory or time
 * is in {@link BuildPipelineTest}.
 */
class HostileBuildTest {
  private static final long DISK_BYTES = 200L << 20;

  /** On the command line of the hostile program, to find it among those of the host. */
  private final String mark = "mark-" + UUID.randomUUID();

  private final KeptLog log = new KeptLog();
  private Path directory;
  private GitRepository shop;
  private BuildPlace place;
  private Sandbox sandbox;
  private SandboxedProcess neighbour;

  @BeforeEach
  void startNeighbour() throws IOException {
    directory = BuildPlace.directory("hostile-build-test-");
    place = BuildPlace.below(directory, EnvVars.NONE);
    shop = place.shop();
    sandbox = place.sandbox();
    Path tree = Files.createDirectories(directory.resolve("data/releases/of-another"));
    Files.writeString(tree.resolve("secret.txt"), "of another");
    neighbour =
        sandbox.start(
            new SandboxSpec(
                "neighbour-" + mark,
                instances().resolve("neighbour"),
                "",
                List.of(List.of("sleep", "600")),
                Map.of(),
                List.of(),
                new SandboxSpec.Files.CopyOnWrite(List.of(tree), directory.resolve("data/scratch")),
                List.of(),
                219_998,
                new Limits(64, 1, 16),
                SandboxSpec.Network.HOST,
                SandboxSpec.Output.KEPT));
  }

  @AfterEach
  void nothingIsLeftAndTheNeighbourIsWell() {
    try {
      assertThat(BuildPlace.runs(mark + "-build")).isFalse();
      assertThat(place.dataDir().resolve("builds")).isEmptyDirectory();
      assertThat(ProcessHandle.current().descendants())
          .noneMatch(process -> process.info().command().orElse("").endsWith("slirp4netns"));
      assertThat(neighbour.alive()).isTrue();
    } finally {
      sandbox.endLeftovers(instances(), Set.of());
      Trees.delete(directory);
    }
  }

  @Test
  void oneThatStartsProcessesWithoutEndIsStopped() {
    assumeTrue(sandbox.memoryLimit(), "this host bounds no processes");
    build(
        "python3",
        """
        import os, time
        while True:
            try:
                if os.fork() == 0:
                    time.sleep(600)
            except OSError:
                time.sleep(0.01)
        """);

    Failure failure = failure(new Limits(1024, 1, 150));

    assertThat(failure.code()).isEqualTo(FailureCode.PROCESS_LIMIT);
    assertThat(failure.message()).contains("150 processes");
  }

  @Test
  void oneThatFillsTheDiskIsStopped() {
    build(
        "python3",
        """
        import os, time
        places = ['/app', os.environ['HOME'], os.environ['TMPDIR']] if os.path.isdir('/app') else ['.']
        for number in range(600):
            with open(places[number % len(places)] + '/big-%d' % number, 'wb') as file:
                file.write(b'x' * (2 << 20))
        time.sleep(600)
        """);

    Failure failure = failure(BuildPlace.LIMITS);

    assertThat(failure.code()).isEqualTo(FailureCode.DISK_LIMIT);
    assertThat(failure.message()).contains("200 MiB of disk").contains("build.disk_mb");
  }

  @Test
  void oneThatLooksAroundFindsNothingOfOthers() throws Exception {
    assumeTrue(sandbox.isolation().contains("bubblewrap"), "the host's files are in sight");
    assumeTrue(sandbox.whyShared().isEmpty(), "builds share the host's network");
    try (ServerSocket store = new ServerSocket(0, 50, InetAddress.getByName("0.0.0.0"))) {
      build(
          "python3",
          """
          import socket
          def attempt(name, action):
              try:
                  action()
                  print('REACHED ' + name)
              except OSError as e:
                  print('refused ' + name + ': ' + str(e))
          data = '%s'
          for path in ['/etc/shadow', data + '/releases/of-another/secret.txt', '%s/secret.txt']:
              attempt(path, lambda: open(path).read())
          attempt('builds', lambda: __import__('os').listdir(data + '/builds'))
          for host in ['127.0.0.1', '198.51.100.2', '%s']:
              attempt('port at ' + host, lambda: socket.create_connection((host, %d), 10))
          print('tried everything')
          """
              .formatted(
                  place.dataDir(),
                  directory.resolve("data/releases/of-another"),
                  ownAddress(),
                  store.getLocalPort()));

      place
          .pipeline(BuildPlace.LIMITS, BuildPlace.TIMEOUT)
          .run(place.request(place.host(), new SeenSteps()), place.log(log));
    }

    assertThat(log.messages()).contains("tried everything");
    assertThat(log.messages()).filteredOn(line -> line.startsWith("refused")).hasSize(7);
    assertThat(log.messages()).noneMatch(line -> line.startsWith("REACHED"));
  }

  private void build(String program, String text) {
    shop.write("hostile.txt", text);
    shop.write(
        "package.json",
        """
        {"name": "shop", "dependencies": {"express": "file:./vendor/express"},
         "scripts": {"build": "%s hostile.txt %s-build"}}
        """
            .formatted(program, mark));
    shop.commit("main", "Hostile");
  }

  private Failure failure(Limits limits) {
    BuildPipeline pipeline =
        place.pipeline(new BuildConfig(BuildPlace.TIMEOUT, limits, DISK_BYTES, 1 << 20, 1 << 30));
    AppFailure failure =
        catchThrowableOfType(
            AppFailure.class,
            () -> pipeline.run(place.request(place.host(), new SeenSteps()), place.log(log)));
    assertThat(failure).as(() -> String.join("\n", log.messages())).isNotNull();
    return failure.failure();
  }

  private Path instances() {
    return directory.resolve("data/instances");
  }

  private static String ownAddress() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
        .map(InetAddress::getHostAddress)
        .findFirst()
        .orElse("127.0.0.2");
  }
}
