package dev.slipway.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.TestClock;
import dev.slipway.framework.Tool;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.sandbox.Trees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With the tools of this machine and the registries that it reaches. */
class ToolboxTest {
  private Path directory;
  private Sandbox sandbox;
  private OperatorSettings operator;
  private Toolbox toolbox;
  private Set<String> needed = Set.of();
  private final TestClock clock = new TestClock();

  @BeforeEach
  void open() throws Exception {
    directory = Files.createTempDirectory("toolbox-");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    sandbox = Sandbox.strongest(directory);
    Path home = Path.of(System.getProperty("user.home"));
    operator = OperatorSettings.of(System.getenv(), home);
    toolbox = new Toolbox(directory.resolve("tools"), sandbox, operator, home, () -> needed, clock);
  }

  @AfterEach
  void delete() {
    Trees.delete(directory);
  }

  @Test
  void anotherPackageManagerIsFetchedAndRuns() throws Exception {
    Provision first =
        toolbox.provide(List.of(new Tool("yarn", "1.22.22+sha512.abc"), new Tool("node", ">=4")));
    Provision again = toolbox.again(first.ids());

    assertThat(first.ids()).hasSize(2).contains("yarn@1.22.22");
    assertThat(first.warnings()).isEmpty();
    assertThat(again).isEqualTo(first);
    assertThat(says(first, "yarn", "--version")).containsExactly("1.22.22");
  }

  @Test
  void theHostsPythonIsGivenUnderItsCommonName() throws Exception {
    Provision provision = toolbox.provide(List.of(new Tool("python", ">=3.8,<4")));

    assertThat(says(provision, "python3", "--version"))
        .containsExactly("Python " + provision.tools().getFirst().version());
  }

  @Test
  void whatABuildHoldsOrAReleaseNeedsOrWasJustAskedForIsNeeded() throws Exception {
    List<Provision> provisions = new ArrayList<>();
    for (String version : List.of("18.1.0", "20.1.0", "22.1.0", "24.1.0")) {
      Files.createDirectories(directory.resolve("tools/node").resolve(version).resolve("bin"));
      provisions.add(toolbox.again(List.of("node@" + version)));
    }
    assertThat(toolbox.unneeded()).isEmpty();
    clock.advance(Duration.ofMinutes(2));
    needed = Set.of("node@18.1.0");
    var _ = toolbox.again(List.of("node@20.1.0"));

    try (Toolbox.Hold _ = toolbox.hold(provisions.get(2));
        Toolbox.Hold _ = toolbox.hold(provisions.get(2))) {
      assertThat(toolbox.unneeded()).extracting(KeptTool::id).containsExactly("node@24.1.0");
    }

    // Whoever built with it is about to write the release that needs it.
    assertThat(toolbox.unneeded()).extracting(KeptTool::id).containsExactly("node@24.1.0");
    clock.advance(Duration.ofMinutes(2));
    assertThat(toolbox.unneeded())
        .extracting(KeptTool::id)
        .containsExactlyInAnyOrder("node@20.1.0", "node@22.1.0", "node@24.1.0");
  }

  @Test
  void whatNobodyAskedForInWeeksIsDeletedUnlessAReleaseNeedsIt() throws Exception {
    for (String version : List.of("18.1.0", "20.1.0", "22.1.0")) {
      Files.createDirectories(directory.resolve("tools/node").resolve(version).resolve("bin"));
      var _ = toolbox.again(List.of("node@" + version));
    }
    needed = Set.of("node@18.1.0");
    clock.advance(Duration.ofDays(13));
    var _ = toolbox.again(List.of("node@22.1.0"));
    clock.advance(Duration.ofDays(2));

    toolbox.collect();

    assertThat(directory.resolve("tools/node"))
        .isDirectoryContaining("glob:**/18.1.0")
        .isDirectoryContaining("glob:**/22.1.0")
        .isDirectoryNotContaining("glob:**/20.1.0");
  }

  @Test
  void aWarmUpThatIsInterruptedLeavesNothing() throws Exception {
    Thread warmUp = Thread.ofPlatform().start(toolbox::warmUp);
    warmUp.interrupt();

    assertThat(warmUp.join(Duration.ofSeconds(60))).isTrue();
    Path runs = directory.resolve("tools/.runs");
    assertThat(Files.notExists(runs) || runs.toFile().list().length == 0).isTrue();
  }

  private List<String> says(Provision provision, String... argv) throws Exception {
    Path app = Files.createTempDirectory(directory, "app-");
    Files.setPosixFilePermissions(app, PosixFilePermissions.fromString("rwxrwxrwx"));
    return new ToolRuns(sandbox, operator, directory.resolve("test-runs"))
        .run(app, List.of(argv), Map.of(), provision, Duration.ofMinutes(1))
        .lines();
  }
}
