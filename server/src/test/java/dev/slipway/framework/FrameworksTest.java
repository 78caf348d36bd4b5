package dev.slipway.framework;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.AppFailure;
import dev.slipway.source.Checkout;
import dev.slipway.source.Commit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameworksTest {
  @TempDir Path root;
  private final Frameworks frameworks = new Frameworks(Optional.empty());

  @Test
  void anExpressApplicationIsRecognised() throws IOException {
    write("package.json", "{\"dependencies\": {\"express\": \"^5.0.0\"}}");
    write("server.js", "");

    assertThat(frameworks.plan(checkout(), Overrides.NONE).framework()).isEqualTo("node-express");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"dependencies\": {\"fastify\": \"5\"}} | depends on fastify",
        "{\"dependencies\": {\"express\": \"4\", \"next\": \"15\"}} | depends on next",
        "{\"devDependencies\": {\"express\": \"4\"}} | devDependencies of package.json only",
        "{\"peerDependencies\": {\"express\": \"4\"}} | has no express among its dependencies",
        "{\"dependencies\": | is not valid JSON",
        "[] | is not valid JSON",
      })
  void whatIsNoExpressApplicationIsExplained(String manifest, String reason) throws IOException {
    write("package.json", manifest);

    assertThatThrownBy(() -> frameworks.plan(checkout(), Overrides.NONE))
        .isInstanceOf(AppFailure.class)
        .hasMessageContaining(reason);
  }

  @Test
  void applicationsBelowTheRootAreListedAsCandidates() throws IOException {
    for (String directory : new String[] {"apps/api", "backend", "node_modules/x", "a/b/c/d/e"}) {
      write(directory + "/package.json", "{\"dependencies\": {\"express\": \"4\"}}");
    }
    write("web/package.json", "{\"dependencies\": {\"vite\": \"6\"}}");

    assertThatThrownBy(() -> frameworks.plan(checkout(), Overrides.NONE))
        .hasMessageContaining("there is no package.json at the root")
        .hasMessageContaining("in: apps/api, backend. Set root_directory");
  }

  @Test
  void theUsersWordIsTakenWithoutLooking() throws IOException {
    write("package.json", "{\"main\": \"server.js\"}");
    write("server.js", "");
    assertThat(
            frameworks
                .plan(checkout(), Overrides.NONE.withFramework(Optional.of("node-express")))
                .framework())
        .isEqualTo("node-express");
    assertThatThrownBy(
            () -> frameworks.plan(checkout(), Overrides.NONE.withFramework(Optional.of("rails"))))
        .hasMessageContaining("rails")
        .hasMessageContaining("node-express");
  }

  private Checkout checkout() {
    return new Checkout(root, new Commit("0".repeat(40), ""));
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
