package dev.slipway.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.RawPath;
import dev.slipway.core.ReleaseId;
import dev.slipway.sandbox.Trees;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReleaseStoreTest {
  private static final Duration TWO_DAYS = Duration.ofDays(2);

  private Path directory;
  private ReleaseStore store;

  @BeforeEach
  void open() throws IOException {
    directory = Files.createTempDirectory("releases-test-");
    store = store(Clock.systemUTC());
  }

  @AfterEach
  void delete() {
    Trees.delete(directory);
  }

  @Test
  void aReleaseHoldsTheFilesLinksAndEmptyDirectoriesOfItsTree() throws IOException {
    Path source = source("one");
    write(source, "bin/run", "#!/bin/sh");
    Files.setPosixFilePermissions(
        source.resolve("bin/run"), PosixFilePermissions.fromString("rwxr-x---"));
    Files.createDirectories(source.resolve("uploads/empty"));
    Files.createSymbolicLink(source.resolve("outside"), Path.of("/etc/../etc/passwd"));
    Files.createSymbolicLink(source.resolve("dangling"), Path.of("not/there"));
    ReleaseId id = ReleaseId.of(DeploymentId.next());

    Release release = store.pack(id, source);

    assertThat(release).isEqualTo(new Release(id, 3, 9));
    assertThat(source).doesNotExist();
    for (boolean rebuilt : new boolean[] {false, true}) {
      if (rebuilt) {
        store.dropTree(id);
      }
      Path tree = store.trees(id).getFirst();
      assertThat(tree.resolve("bin/run")).hasContent("#!/bin/sh").isExecutable();
      assertThat(tree.resolve("uploads/empty")).isEmptyDirectory();
      assertThat(Files.readSymbolicLink(tree.resolve("outside"))).hasToString("/etc/../etc/passwd");
      assertThat(Files.readSymbolicLink(tree.resolve("dangling"))).hasToString("not/there");
    }
  }

  @Test
  void oddNamesComeBack() throws IOException {
    Path source = source("odd");
    List<String> names = List.of("zwei%0Azeilen", "grau%FFzone", "a%20b%25", "%C3%A4", "l%20f");
    for (String name : names) {
      Files.writeString(RawPath.resolve(source, name), name);
    }
    Files.createSymbolicLink(source.resolve("link"), RawPath.path("../zwei%0Azeilen%FF"));
    ReleaseId id = ReleaseId.of(DeploymentId.next());
    store.pack(id, source);
    store.dropTree(id);

    Path tree = store.trees(id).getFirst();

    for (String name : names) {
      assertThat(RawPath.resolve(tree, name)).hasContent(name);
    }
    assertThat(RawPath.encode(Files.readSymbolicLink(tree.resolve("link"))))
        .isEqualTo("../zwei%0Azeilen%FF");
  }

  @Test
  void setuidBitsPipesAndForeignOwnersAreDropped() throws Exception {
    Path source = source("special");
    write(source, "tool", "tool");
    run("mkfifo", source.resolve("pipe").toString());
    run("chmod", "6755", source.resolve("tool").toString());
    boolean root = Files.getAttribute(directory, "unix:uid").equals(0);
    if (root) {
      run("chown", "-R", "12345:12345", source.toString());
      run("chmod", "6755", source.resolve("tool").toString());
    }
    ReleaseId id = ReleaseId.of(DeploymentId.next());
    store.pack(id, source);

    Path tree = store.trees(id).getFirst();

    assertThat(tree.resolve("pipe")).doesNotExist();
    int mode = (Integer) Files.getAttribute(tree.resolve("tool"), "unix:mode");
    assertThat(mode & 07000).isZero();
    assertThat(Files.getAttribute(tree.resolve("tool"), "unix:uid"))
        .isEqualTo(Files.getAttribute(directory, "unix:uid"));
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(directory.resolve("store"))))
        .isEqualTo("rwx------");
  }

  @Test
  void aFileThatIsLinkedFromElsewhereIsNotSharedWithIt() throws IOException {
    Path source = source("linked");
    Path elsewhere = directory.resolve("elsewhere");
    Files.writeString(elsewhere, "before");
    Files.createLink(source.resolve("file"), elsewhere);
    ReleaseId id = ReleaseId.of(DeploymentId.next());
    store.pack(id, source);

    Files.writeString(elsewhere, "after!");

    assertThat(store.trees(id).getFirst().resolve("file")).hasContent("before");
  }

  @Test
  void unreadableFilesAndDirectoriesArePacked() throws IOException {
    Path source = source("closed");
    write(source, "dir/file", "text");
    Files.setPosixFilePermissions(source.resolve("dir/file"), Set.of());
    Files.setPosixFilePermissions(source.resolve("dir"), Set.of());
    ReleaseId id = ReleaseId.of(DeploymentId.next());

    store.pack(id, source);

    assertThat(store.trees(id).getFirst().resolve("dir/file")).hasContent("text");
  }

  @Test
  void equalContentIsOneFileButModesStayApart() throws IOException {
    Path source = source("equal");
    for (String name : List.of("a", "b", "run")) {
      write(source, name, "same");
    }
    Files.setPosixFilePermissions(
        source.resolve("run"), PosixFilePermissions.fromString("rwxr-xr-x"));
    ReleaseId id = ReleaseId.of(DeploymentId.next());
    store.pack(id, source);

    Path tree = store.trees(id).getFirst();

    assertThat(Files.isSameFile(tree.resolve("a"), tree.resolve("b"))).isTrue();
    assertThat(tree.resolve("run")).isExecutable();
    assertThat(Files.isExecutable(tree.resolve("a"))).isFalse();
  }

  @Test
  void tenReleasesThatDifferInOneFileTakeLittleMoreThanOne() throws Exception {
    pack(600, "version 0");
    long one = diskKilobytes();
    for (int i = 1; i < 10; i++) {
      store.dropTree(pack(600, "version " + i));
    }

    assertThat(diskKilobytes()).isLessThanOrEqualTo(one * 105 / 100);
  }

  @Test
  void packingAgainFindsTheReleaseAndDeletesTheDirectory() throws IOException {
    ReleaseId id = ReleaseId.of(DeploymentId.next());
    Path source = source("twice");
    write(source, "file", "text");
    Release first = store.pack(id, source);
    write(source("twice"), "file", "other");

    assertThat(store.pack(id, source)).isEqualTo(first);
    assertThat(source).doesNotExist();
    assertThat(store.trees(id).getFirst().resolve("file")).hasContent("text");
  }

  @Test
  void anObjectThatWasCutShortIsReplaced() throws IOException {
    Path source = source("whole");
    write(source, "file", "the whole text");
    store.pack(ReleaseId.of(DeploymentId.next()), source);
    Path object = objectOfTheWholeText();
    Files.writeString(object, "");
    write(source("whole"), "file", "the whole text");
    ReleaseId id = ReleaseId.of(DeploymentId.next());

    store.pack(id, source);

    assertThat(store.trees(id).getFirst().resolve("file")).hasContent("the whole text");
  }

  @Test
  void collectingKeepsWhatIsNamedAndWhatIsYoung() throws IOException {
    ReleaseId kept = pack(20, "kept");
    ReleaseId old = pack(20, "old");
    ReleaseStore later = store(Clock.offset(Clock.systemUTC(), TWO_DAYS));
    Set<String> before = objects();

    store.collect(Set.of());
    assertThat(objects()).isEqualTo(before);
    assertThat(store.exists(old)).isTrue();

    later.collect(Set.of(kept));
    assertThat(later.exists(kept)).isTrue();
    assertThat(later.exists(old)).isFalse();
    assertThat(objects().size()).isLessThan(before.size());
    store.dropTree(kept);
    assertThat(store.trees(kept).getFirst().resolve("version.txt")).hasContent("kept");
    assertThatThrownBy(() -> store.trees(old).getFirst()).isInstanceOf(IllegalStateException.class);

    later.collect(Set.of());
    assertThat(objects()).isEmpty();
    assertThat(directory.resolve("store/trees")).isEmptyDirectory();
  }

  @Test
  void collectingWhilePackingTakesNothingAway() throws Exception {
    // For this store everything is old: only that it is being packed protects it.
    ReleaseStore later = store(Clock.offset(Clock.systemUTC(), TWO_DAYS));
    Set<ReleaseId> kept =
        Stream.generate(() -> ReleaseId.of(DeploymentId.next()))
            .limit(5)
            .collect(Collectors.toUnmodifiableSet());
    AtomicBoolean packing = new AtomicBoolean(true);
    CompletableFuture<Integer> collections =
        CompletableFuture.supplyAsync(() -> {
          int count = 0;
          for (; packing.get(); count++) {
            later.collect(kept);
          }
          return count;
        });
    try {
      for (ReleaseId id : kept) {
        later.pack(id, fill(source(id.value()), 300, id.value()));
      }
    } finally {
      packing.set(false);
    }

    assertThat(collections.get(30, TimeUnit.SECONDS)).isPositive();
    for (ReleaseId id : kept) {
      later.dropTree(id);
      assertThat(later.trees(id).getFirst().resolve("version.txt")).hasContent(id.value());
    }
  }

  @Test
  void aServerKilledWhilePackingLeavesWhatCanBePackedAgain() throws Exception {
    ReleaseId id = ReleaseId.of(DeploymentId.next());
    Path source = fill(source("killed"), 4_000, "killed");
    Process server = packInAnotherJvm(id, source);
    try {
      waitUntil(() -> objects().size() > 300);
    } finally {
      server.destroyForcibly().waitFor();
    }
    assumeTrue(!store.exists(id), "packing was faster than the kill");
    assertThat(source).exists();

    Release release = store(Clock.systemUTC()).pack(id, source);

    assertThat(release.files()).isEqualTo(4_001);
    Path expected = fill(source("expected"), 4_000, "killed");
    run("diff", "-r", expected.toString(), store.trees(id).getFirst().toString());
    store.dropTree(id);
    run("diff", "-r", expected.toString(), store.trees(id).getFirst().toString());
  }

  private Process packInAnotherJvm(ReleaseId id, Path source) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            PackingServer.class.getName(),
            directory.resolve("store").toString(),
            id.value(),
            source.toString())
        .redirectErrorStream(true)
        .redirectOutput(new File("/dev/null"))
        .start();
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void waitUntil(Condition condition) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.holds()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private ReleaseStore store(Clock clock) {
    return new ReleaseStore(directory.resolve("store"), clock);
  }

  private ReleaseId pack(int files, String version) throws IOException {
    ReleaseId id = ReleaseId.of(DeploymentId.next());
    store.pack(id, fill(source(id.value()), files, version));
    return id;
  }

  private Path source(String name) throws IOException {
    return Files.createDirectories(directory.resolve("sources").resolve(name));
  }

  private static Path fill(Path source, int files, String version) throws IOException {
    for (int i = 0; i < files; i++) {
      write(
          source, "node_modules/p%d/f%d.js".formatted(i / 10, i), ("line " + i + "\n").repeat(600));
    }
    write(source, "version.txt", version);
    return source;
  }

  private static void write(Path source, String name, String text) throws IOException {
    Path file = source.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private Set<String> objects() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("store/objects"))) {
      return new TreeSet<>(files.filter(Files::isRegularFile).map(Path::toString).toList());
    }
  }

  private Path objectOfTheWholeText() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("store/objects"))) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> hasContent(file, "the whole text"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static boolean hasContent(Path file, String text) {
    try {
      return Files.readString(file).equals(text);
    } catch (IOException e) {
      return false;
    }
  }

  private long diskKilobytes() throws Exception {
    String output = run("du", "-sk", directory.resolve("store").toString());
    return Long.parseLong(output.substring(0, output.indexOf('\t')));
  }

  private static String run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
