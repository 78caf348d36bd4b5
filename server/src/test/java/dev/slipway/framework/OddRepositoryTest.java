package dev.slipway.framework;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.slipway.core.AppFailure;
import dev.slipway.source.Checkout;
import dev.slipway.source.Commit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Repositories that nobody would write, unless to see what happens. */
class OddRepositoryTest {
  @TempDir Path directory;
  private Path root = Path.of("");

  @BeforeEach
  void makeRepository() throws IOException {
    root = Files.createDirectory(directory.resolve("repository"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"dependencies\": {\"express\": \"5\"}, \"main\": \"a\\u0000b\"}",
        "{\"dependencies\": {\"express\": \"5\"}, \"main\": \"../../etc/passwd\"}",
        "{\"dependencies\": {\"express\": 5}, \"scripts\": \"start\", \"engines\": []}",
        "{\"dependencies\": {\"express\": \"5\"}, \"scripts\": {\"start\": {}}, \"main\": []}",
        "{\"dependencies\": {\"express\": \"5\"}, \"scripts\": {\"start\": \"npm start\"}}",
        "{\"dependencies\": {\"express\": \"5\"}, \"scripts\": {\"start\": \"npm run a\", \"a\": \"npm run b\", \"b\": \"npm run a\"}}",
        "{\"dependencies\": {\"express\": \"5\"}, \"scripts\": {\"start\": \"cd / && node x.js\"}}",
        "{\"dependencies\": {\"express\": \"5\"}, \"scripts\": {\"start\": \"cd ../.. && node x.js\"}}",
        "{\"dependencies\": {\"express\": \"file:../../x\"}, \"workspaces\": [\"../*\", \"{\", \"[\", 5, \"\"]}",
        "{\"dependencies\": {\"express\": \"5\"}, \"workspaces\": {\"packages\": {\"a\": 1}}}",
        "{\"dependencies\": {\"express\": \"5\"}, \"packageManager\": \"--yes@1\"}",
        "{\"dependencies\": {\"express\": \"5\"}, \"packageManager\": \"pnpm@file:/etc/passwd\"}",
        "{\"dependencies\": {\"next\": \"15\"}, \"scripts\": {\"start\": \"next build\"}}",
        "{\"dependencies\": {\"next\": \"15\"}, \"scripts\": {\"start\": \"next\"}}",
        "{\"devDependencies\": {\"vite\": \"7\", \"react\": \"19\"}, \"scripts\": {\"build\": \"vite build --outDir /etc\"}}",
      })
  void haveAPlanOrASentence(String manifest) throws IOException {
    write("package.json", manifest);
    write("index.html", "");
    write("pages/index.js", "");
    write("pnpm-workspace.yaml", "packages: [a: {");
    write(".yarnrc.yml", "yarnPath: /etc/passwd");
    write("next.config.js", "module.exports = { output: 'export', distDir: '../../..' }");

    assertThat(catchThrowable(() -> plan(Overrides.NONE)))
        .satisfiesAnyOf(
            thrown -> assertThat(thrown).isNull(),
            thrown -> assertThat(thrown).isInstanceOf(AppFailure.class));
  }

  @Test
  void linksThatLeadOutOfARepositoryAreNotFollowed() throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Files.writeString(
        outside.resolve("package.json"),
        "{\"dependencies\": {\"express\": \"5\"}, \"scripts\": {\"start\": \"node x.js\"}}");
    Files.createSymbolicLink(root.resolve("api"), outside);

    assertThat(catchThrowable(() -> plan(Overrides.NONE))).isInstanceOf(AppFailure.class);
    assertThat(catchThrowable(() -> plan(Overrides.NONE.in("api"))))
        .isInstanceOf(AppFailure.class)
        .hasMessageContaining("The root directory api does not exist");
  }

  @Test
  void aCommandThatLeavesTheRepositoryIsRefused() throws IOException {
    write("package.json", "{\"dependencies\": {\"express\": \"5\"}}");
    Overrides overrides =
        new Overrides(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of("cd ../.. && make"),
            Optional.of("node server.js"),
            Optional.empty(),
            Optional.empty());

    assertThat(catchThrowable(() -> plan(overrides)))
        .isInstanceOf(AppFailure.class)
        .hasMessageContaining("leaves the repository");
  }

  private BuildPlan plan(Overrides overrides) {
    return new Frameworks()
        .plan(new Checkout(root, new Commit("0".repeat(40), "")), overrides, Set.of());
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
