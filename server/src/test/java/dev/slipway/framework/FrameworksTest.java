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
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameworksTest {
  private static final String EXPRESS =
      "{\"dependencies\": {\"express\": \"4\"}, \"scripts\": {\"start\": \"node server.js\"}}";

  @TempDir Path root;
  private final Frameworks frameworks = new Frameworks();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"dependencies\": {\"fastify\": \"5\"}} | depends on fastify",
        "{\"dependencies\": {\"next\": \"15\"}} | no directory app or pages",
        "{\"devDependencies\": {\"express\": \"4\"}} | devDependencies of package.json only",
        "{\"peerDependencies\": {\"express\": \"4\"}} | asks for none of next, vite with react, and express",
        "{\"dependencies\": {\"express\": \"4\"}, \"bin\": \"cli.js\"} | looks like a library",
        "{\"dependencies\": {\"@nestjs/core\": \"11\", \"express\": \"5\"}} | depends on @nestjs/core",
        "{\"devDependencies\": {\"vite\": \"7\", \"svelte\": \"5\"}} | is built with svelte",
        "{\"dependencies\": {\"elysia\": \"1\"}} | set framework to node-express, and start_command, for example to \"bun src/index.ts\"",
        "{\"devDependencies\": {\"@rspack/cli\": \"1\"}} | is built with @rspack/cli",
        "{\"dependencies\": {\"hono\": \"4\"}, \"devDependencies\": {\"wrangler\": \"4\"}} | a worker for the runtime of Cloudflare. There is no such runtime here",
        "{\"dependencies\": {\"hono\": \"4\", \"@hono/node-server\": \"1\"}, \"devDependencies\": {\"wrangler\": \"4\"}} | depends on hono",
        "{\"dependencies\": {\"react-scripts\": \"5\"}} | set framework to react-vite and output_directory",
        "{\"dependencies\": | is not valid JSON",
        "[] | is not valid JSON",
      })
  void whatIsNoneOfTheFrameworksIsExplained(String manifest, String reason) throws IOException {
    write("package.json", manifest);

    assertThatThrownBy(() -> frameworks.plan(checkout(), Overrides.NONE, Set.of()))
        .isInstanceOf(AppFailure.class)
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "go.mod | this is an application in Go (go.mod). Builds and programs have Node and Python",
        "Gemfile | in Ruby (Gemfile)",
        "index.php | in PHP (index.php)",
        "Cargo.toml | in Rust (Cargo.toml)",
        "build.gradle.kts | in Java (build.gradle.kts)",
        "Shop.csproj | in .NET (Shop.csproj)",
        "deno.jsonc | for Deno (deno.jsonc). There is no Deno here",
        "wrangler.toml | this is a worker for the runtime of Cloudflare",
        "Dockerfile | there is a Dockerfile, and Dockerfiles are not followed. An application for Node",
        "index.html | set framework to react-vite and output_directory",
        "README.md | can be said: framework, build_command and start_command",
        "app.py | there is no package.json at the root"
      })
  void whatIsNeitherForNodeNorInPythonIsNamed(String file, String reason) throws IOException {
    write(file, "");

    assertThatThrownBy(() -> frameworks.plan(checkout(), Overrides.NONE, Set.of()))
        .isInstanceOf(AppFailure.class)
        .hasMessageContaining(reason);
  }

  @Test
  void aPackageJsonForToolsDoesNotHideWhatTheApplicationIs() throws IOException {
    write("package.json", "{\"devDependencies\": {\"tailwindcss\": \"4\"}}");
    write("index.html", "");
    assertThatThrownBy(() -> frameworks.plan(checkout(), Overrides.NONE, Set.of()))
        .hasMessageContaining("package.json asks for none of next");

    write("Gemfile", "");
    assertThatThrownBy(() -> frameworks.plan(checkout(), Overrides.NONE, Set.of()))
        .hasMessageContaining("this is an application in Ruby (Gemfile)");

    write("requirements.txt", "Django==5.2\n");
    write("shop/wsgi.py", "");
    assertThatThrownBy(() -> frameworks.plan(checkout(), Overrides.NONE, Set.of()))
        .hasMessageContaining("requirements.txt asks for django")
        .hasMessageContaining("start_command, for example to \"gunicorn shop.wsgi\"");
  }

  @Test
  void severalApplicationsBelowTheRootAreForTheUserToChooseFrom() throws IOException {
    for (String directory : new String[] {"apps/api", "backend", "node_modules/x", "a/b/c/d/e/f"}) {
      write(directory + "/package.json", EXPRESS);
    }
    write("web/package.json", "{\"dependencies\": {\"vite\": \"6\"}}");

    assertThatThrownBy(() -> frameworks.plan(checkout(), Overrides.NONE, Set.of()))
        .hasMessageContaining("there is no package.json at the root")
        .hasMessageContaining("in: apps/api (node-express), backend (node-express). Set");
  }

  @Test
  void theOnlyApplicationBelowTheRootIsTakenUnlessItIsAnExample() throws IOException {
    write("examples/hello/package.json", EXPRESS);
    assertThatThrownBy(() -> frameworks.plan(checkout(), Overrides.NONE, Set.of()))
        .hasMessageContaining("examples/hello (node-express)");

    write("backend/package.json", EXPRESS);
    assertThat(frameworks.plan(checkout(), Overrides.NONE, Set.of()).rootDirectory())
        .isEqualTo("backend");
  }

  @Test
  void theUsersWordIsTakenWhereNothingIsRecognised() throws IOException {
    write(
        "package.json",
        "{\"dependencies\": {\"koa\": \"3\"}, \"scripts\": {\"start\": \"node x.js\"}}");

    assertThat(frameworks.plan(checkout(), chosen("node-express"), Set.of()))
        .extracting(BuildPlan::framework)
        .isEqualTo("node-express");
    assertThatThrownBy(() -> frameworks.plan(checkout(), chosen("rails"), Set.of()))
        .hasMessageContaining("rails")
        .hasMessageContaining("node-express");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nowhere", "..", "/etc", "package.json", "a\0b"})
  void aRootDirectoryThatIsNotInTheRepositoryIsNamed(String directory) throws IOException {
    write("package.json", EXPRESS);

    assertThatThrownBy(() -> frameworks.plan(checkout(), Overrides.NONE.in(directory), Set.of()))
        .isInstanceOf(AppFailure.class)
        .hasMessageContaining("The root directory " + directory);
  }

  private Checkout checkout() {
    return new Checkout(root, new Commit("0".repeat(40), ""));
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private static Overrides chosen(String framework) {
    return new Overrides(
        Optional.of(framework),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
