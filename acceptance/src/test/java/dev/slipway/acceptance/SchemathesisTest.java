package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Schemathesis reads a served contract, makes requests that follow it and requests that do not, and
 * looks whether the answers are what the contract says. It is not ours and knows nothing of us.
 *
 * <p>What it may not take for a fault stands in {@code src/test/schemathesis/schemathesis.toml},
 * each with its reason.
 *
 * @see <a href="https://schemathesis.readthedocs.io">Schemathesis</a>
 */
final class SchemathesisTest {
  private static final Path FILES = Path.of("src/test/schemathesis").toAbsolutePath();
  private static final Path PYTHON = Path.of("target/schemathesis").toAbsolutePath();

  private static SlipwayProcess slipway;

  @BeforeAll
  static void install() {
    Programs.require("python3");
    if (!Files.exists(PYTHON.resolve("bin/schemathesis"))) {
      Programs.run(FILES, "python3", "-m", "venv", PYTHON.toString());
      Programs.run(
          FILES,
          PYTHON.resolve("bin/pip").toString(),
          "install",
          "--quiet",
          "--disable-pip-version-check",
          "--requirement",
          "requirements.txt");
    }
    slipway = SlipwayProcess.start();
    // Something of each kind, so that what follows a read has something to follow.
    App app = slipway.migrate(ExpressApp.named("tried"));
    app.rollBackTo(app.deploy().awaitLive()).awaitLive();
  }

  @AfterAll
  static void end() {
    slipway.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/openapi.yaml", "/sandbox/openapi.yaml"})
  void findsNothing(String contract) throws InterruptedException {
    ProcessBuilder run =
        new ProcessBuilder(
                PYTHON.resolve("bin/schemathesis").toString(),
                "--config-file",
                FILES.resolve("schemathesis.toml").toString(),
                "run",
                slipway.address().resolve(contract).toString(),
                "--url",
                slipway.address().resolve(contract).resolve(".").toString())
            .directory(PYTHON.toFile())
            .redirectErrorStream(true);
    run.environment().put("SLIPWAY_KEY", slipway.key());
    run.environment().put("NO_COLOR", "1");
    try {
      Process process = run.start();
      process.getOutputStream().close();
      String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(printed).isZero();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
