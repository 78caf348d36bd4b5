package dev.slipway.sandbox;

import dev.slipway.core.AppFailure;
import dev.slipway.core.Limits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out what this host allows by running a small program in each way. */
final class Probe {
  private static final Logger LOG = LoggerFactory.getLogger(Probe.class);
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final int UID = 199_999;

  private final Path directory;
  private final Path dataDir;

  Probe(Path dataDir) {
    try {
      this.dataDir = Files.createDirectories(dataDir).toRealPath();
      this.directory = Files.createDirectories(this.dataDir.resolve("run"));
    } catch (IOException e) {
      throw new UncheckedIOException("making " + dataDir + " failed", e);
    }
  }

  Stream<Sandbox> working() {
    boolean root = Commands.root();
    Scripts scripts = new Scripts(directory.resolve("scripts"));
    Cgroups cgroups = Cgroups.detect();
    Toolchain toolchain =
        Toolchain.on(Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin"));
    CompletableFuture<WayOut> wayOut = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("network probe")
        .start(() -> wayOut.complete(WayOut.detect(scripts, root)));
    List<Isolation> candidates = new ArrayList<>();
    for (boolean overlay : List.of(true, false)) {
      Commands.find("bwrap")
          .ifPresent(bwrap -> candidates.add(new Bubblewrap(scripts, bwrap, root, overlay)));
    }
    for (boolean overlay : List.of(true, false)) {
      candidates.add(new Namespaces(scripts, root, overlay, hidden()));
    }
    candidates.add(new PlainProcess(root));
    if (root) {
      candidates.add(new PlainProcess(false));
    }
    return candidates.stream()
        .map(isolation -> new Sandbox(isolation, cgroups, scripts, toolchain, wayOut))
        .filter(this::works);
  }

  private List<Path> hidden() {
    Path home = Path.of(System.getProperty("user.home"));
    return Files.isDirectory(home) && !dataDir.startsWith(home) && !home.equals(Path.of("/"))
        ? List.of(dataDir, home)
        : List.of(dataDir);
  }

  private boolean works(Sandbox sandbox) {
    Path probe = null;
    try {
      probe = Files.createTempDirectory(directory, "probe-");
      Files.setPosixFilePermissions(probe, PosixFilePermissions.fromString("rwx--x--x"));
      Path tree = Files.createDirectory(probe.resolve("tree"));
      Files.writeString(tree.resolve("file"), "");
      SandboxSpec spec =
          new SandboxSpec(
              probe.getFileName().toString(),
              probe.resolve("run"),
              "",
              List.of(
                  List.of(
                      "sh", "-c", "rm file && : >new && : >\"$HOME/new\" && : >\"$TMPDIR/new\"")),
              Map.of(),
              List.of(),
              new SandboxSpec.Files.CopyOnWrite(List.of(tree), probe.resolve("scratch")),
              List.of(),
              UID,
              new Limits(128, 1, 32),
              SandboxSpec.Network.HOST,
              SandboxSpec.Output.KEPT);
      SandboxedProcess process = sandbox.start(spec);
      Ending ending = process.exit().get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      boolean untouched = Files.exists(tree.resolve("file"));
      if (ending.status() != 0) {
        LOG.debug("{} does not work here: {}", sandbox.isolation(), process.lastOutput(5));
      }
      return ending.status() == 0 && untouched;
    } catch (AppFailure | IllegalStateException | UncheckedIOException refused) {
      LOG.debug("{} does not work here", sandbox.isolation(), refused);
      return false;
    } catch (IOException | ExecutionException | TimeoutException e) {
      LOG.warn("trying {} failed", sandbox.isolation(), e);
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      if (probe != null) {
        Leftover.end(probe.resolve("run"));
        Trees.delete(probe);
      }
    }
  }
}
