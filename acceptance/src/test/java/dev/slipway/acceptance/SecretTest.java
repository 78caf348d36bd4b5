package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedSlipway.class)
final class SecretTest {
  private final SlipwayProcess slipway;

  SecretTest(SlipwayProcess slipway) {
    this.slipway = slipway;
  }

  @Test
  void aVariableIsSeenByTheProgramAlone() {
    String secret = "s3cret-" + UUID.randomUUID();
    Repository repository = slipway.repository();
    repository.commit(
        ExpressApp.withScript(
            "build",
            "echo built with $TOKEN",
            """
            require("express")().get("/", (_, answer) => answer.send(process.env.TOKEN))
              .listen(process.env.PORT);
            """));
    App app = slipway.migrate(repository, Map.of("TOKEN", secret));
    repository.commit(ExpressApp.program("console.log('ran with', process.env.TOKEN);"));
    Deployment broken = app.deploy().awaitFailed();

    assertThat(app.visit().body()).isEqualTo(secret);
    assertThat(app.first().log()).contains("built with [masked]").doesNotContain(secret);
    assertThat(broken.log()).contains("ran with [masked]").doesNotContain(secret);
    assertThat(ProcessTable.anyShows(secret)).as("on a command line").isFalse();
    assertThat(slipway.serverLogText()).doesNotContain(secret);
    assertThat(anyFileHolds(slipway.dataDir().resolve("postgres"), secret))
        .as("in a file of the store, its journal included")
        .isFalse();
    assertThat(anyFileHolds(slipway.dataDir().resolve("postgres"), app.project()))
        .as("what is not secret can be found there")
        .isTrue();
  }

  private static boolean anyFileHolds(Path directory, String text) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).anyMatch(file -> holds(file, text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean holds(Path file, String text) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException deletedByNow) {
      return false;
    }
  }
}
