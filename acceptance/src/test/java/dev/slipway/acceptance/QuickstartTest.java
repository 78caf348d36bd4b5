package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The first thing that a newcomer does; the shell script around it only finds the JDK. */
final class QuickstartTest {
  private static final Pattern ADDRESS = Pattern.compile("ready at http://localhost:(\\d+)");

  private final Path home = newHome();

  @AfterEach
  void deleteHome() {
    Programs.run(Path.of("/"), "rm", "-rf", home.toString());
  }

  @Test
  void itShowsAnAppLiveAndLeavesNothingBehind() throws IOException {
    Programs.require("git", "node", "npm");
    Path example = home.resolve("examples/node-express");
    Files.createDirectories(example);
    for (String file : List.of("package.json", "package-lock.json", "server.js")) {
      Files.copy(ExpressApp.EXAMPLE.resolve(file), example.resolve(file));
    }

    // Fails where it does not end with status 0.
    String shown =
        Programs.run(home, Slipway.command("-Dslipway.home=" + home, "quickstart", "--exit"));

    assertThat(shown)
        .containsSubsequence("Migrating", "building", "live", "It answers 200: {\"message\":");
    assertThat(ProcessTable.of(home)).isEmpty();
    Matcher address = ADDRESS.matcher(shown);
    assertThat(address.find()).isTrue();
    assertThat(SlipwayProcess.listens(Integer.parseInt(address.group(1)))).isFalse();
    try (Stream<Path> left = Files.walk(home.resolve(".slipway"))) {
      assertThat(left.filter(Files::isRegularFile)).isEmpty();
    }
  }

  private static Path newHome() {
    try {
      Path home = Files.createTempDirectory("slipway-quickstart");
      return Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx--x--x"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
