package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.EnvVars;
import dev.slipway.core.Serving;
import dev.slipway.sandbox.Trees;
import dev.slipway.source.git.GitRepository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Builds from the registry with the real programs, as plans alone show little. */
class ExampleBuildTest {
  private static final Path EXAMPLES = Path.of("../examples");

  private Path directory = Path.of("");
  private BuildPlace place = place(Map.of());
  private final KeptLog log = new KeptLog();

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = Files.createTempDirectory("example-build-test-");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
  }

  @AfterEach
  void delete() {
    Trees.delete(directory);
  }

  @Test
  void aSiteOfViteHoldsTheValuesOfItsVariables() throws Exception {
    place = place(Map.of("VITE_NAME", "Grace of the harbour"));
    Map<String, String> files = new HashMap<>();
    for (String file :
        List.of(
            "package.json", "package-lock.json", "index.html", "vite.config.js", "src/main.jsx")) {
      files.put(file, Files.readString(EXAMPLES.resolve("react-vite").resolve(file)));
    }

    BuiltRelease built = build(files);

    assertThat(built.serving()).isEqualTo(new Serving.Site("", Optional.of("index.html"), true));
    assertThat(place.released("index.html").orElseThrow()).content().contains("/assets/index-");
    assertThat(scripts(place.released("assets").orElseThrow()))
        .anyMatch(text -> text.contains("Grace of the harbour"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pnpm@9.15.9", "yarn@1.22.22"})
  void theNamedPackageManagerInstallsForTheBuild(String manager) throws Exception {
    place = place(Map.of());

    build(
        Map.of(
            "package.json",
            """
            {"name": "shop", "version": "1.0.0", "packageManager": "%s",
             "scripts": {"build": "node build.js", "start": "node server.js"},
             "dependencies": {"express": "file:./packages/express"},
             "devDependencies": {"tool": "file:./packages/tool"}}
            """
                .formatted(manager),
            "packages/express/package.json",
            "{\"name\": \"express\", \"version\": \"1.0.0\"}",
            "packages/tool/package.json",
            "{\"name\": \"tool\", \"version\": \"1.0.0\"}",
            "packages/tool/index.js",
            "module.exports = 'by the tool';",
            "build.js",
            "require('fs').writeFileSync('built.txt', require('tool'));",
            "server.js",
            "require('express');"));

    assertThat(place.released("built.txt").orElseThrow()).hasContent("by the tool");
    assertThat(place.released("node_modules/express")).isPresent();
    assertThat(log.messages())
        .contains("$ %s run build".formatted(manager.replaceFirst("@.*", "")));
  }

  /**
   * Else a release that shares its sources with another would be compiled at each of its starts.
   */
  @Test
  void whatIsCompiledOfAPackageFitsItsSourceWhateverTheTimeOfThat() throws Exception {
    place = place(Map.of());

    build(
        Map.of(
            "requirements.txt",
            "fastapi==0.115.6\n",
            "main.py",
            "from fastapi import FastAPI\napp = FastAPI()\n"));

    Path compiled = onlyCompiled(place.released(".venv/lib").orElseThrow(), "typing_extensions");
    byte[] head = Arrays.copyOf(Files.readAllBytes(compiled), 8);
    assertThat(head[4]).as("flags (PEP 552): by a hash that is checked").isEqualTo((byte) 3);
  }

  private static Path onlyCompiled(Path folder, String module) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches(module + "\\..*\\.pyc"))
          .findFirst()
          .orElseThrow();
    }
  }

  private BuildPlace place(Map<String, String> env) {
    return BuildPlace.below(directory, new EnvVars(env));
  }

  private BuiltRelease build(Map<String, String> files) throws Exception {
    Path repository =
        Files.createDirectories(directory.resolve("repositories")).resolve("acme/shop.git");
    GitRepository shop = GitRepository.create(repository, directory.resolve("work"));
    files.forEach(shop::write);
    shop.commit("main", "Shop");
    return place
        .pipeline(BuildPlace.LIMITS, BuildPlace.TIMEOUT)
        .run(place.request(place.host(), new SeenSteps()), place.log(log));
  }

  private static List<String> scripts(Path assets) throws IOException {
    try (Stream<Path> files = Files.list(assets)) {
      return files.map(ExampleBuildTest::text).toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
