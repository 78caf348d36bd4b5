package dev.slipway.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests of the sandbox and of what is built on it once more, as a user without rights. */
final class PlainUserTest {
  private static final int UID = 219_999;

  private final Path directory;

  PlainUserTest() throws IOException {
    directory = Files.createTempDirectory("plain-user-test");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @AfterEach
  void delete() {
    Trees.delete(directory);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dev.slipway.sandbox.SandboxTest",
        "dev.slipway.runtime.process.ProcessRuntimeTest"
      })
  void everyLevelThatWorksForAPlainUserPasses(String testClass) throws Exception {
    assumeTrue(Commands.root(), "these tests run as a plain user already");
    Path temporary = Files.createDirectory(directory.resolve("tmp"));
    Files.setAttribute(temporary, "unix:uid", UID);
    List<String> argv = new ArrayList<>(List.of("setpriv", "--reuid=" + UID, "--regid=" + UID));
    argv.addAll(List.of("--clear-groups", "--no-new-privs", "--"));
    argv.addAll(
        List.of(
            ProcessHandle.current().info().command().orElseThrow(),
            "-Djava.io.tmpdir=" + temporary,
            "-cp",
            readableClassPath(),
            EveryLevel.class.getName(),
            testClass));
    Process process =
        new ProcessBuilder(argv).directory(temporary.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said).contains("passed").doesNotContain("FAILED");
    if (Commands.find("bwrap").isPresent() && userNamespaces()) {
      assertThat(said).contains("bubblewrap");
    }
  }

  /** Libraries may lie in a home that is closed to others. */
  private String readableClassPath() throws IOException {
    List<String> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      Path copy = directory.resolve(entries.size() + "-" + path.getFileName());
      if (Files.isDirectory(path)) {
        copyTree(path, copy);
      } else if (Files.exists(path)) {
        Files.copy(path, copy);
      }
      entries.add(copy.toString());
    }
    return String.join(File.pathSeparator, entries);
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : paths.toList()) {
        Files.copy(path, to.resolve(from.relativize(path).toString()));
      }
    }
  }

  private static boolean userNamespaces() throws Exception {
    return new ProcessBuilder(
                "setpriv", "--reuid=" + UID, "--clear-groups", "--", "unshare", "--user", "true")
            .start()
            .waitFor()
        == 0;
  }
}
