package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.FailureCode;
import dev.slipway.framework.BuildPlan.Install;
import dev.slipway.framework.BuildPlan.Step;
import dev.slipway.tool.OperatorSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DependencyKeyTest {
  private static final CacheOwner ADA = new CacheOwner("acc_ada");
  private static final List<String> INPUTS =
      List.of("package-lock.json", "**/package.json", ".npmrc", "patches");

  @TempDir Path source;

  @BeforeEach
  void fill() throws IOException {
    write("package.json", "{}");
    write("packages/ui/package.json", "{}");
    write("package-lock.json", "{}");
    write("patches/express.patch", "-a");
    write(".npmrc", "//registry.example.org/:_authToken=${SHOP_TOKEN}");
    write("src/index.js", "1");
  }

  @Test
  void filesThatDecideNothingChangeNothing() throws IOException {
    String before = key(Map.of());
    write("src/index.js", "2");

    assertThat(key(Map.of())).isEqualTo(before);
  }

  @Test
  void everyInputDecides() throws IOException {
    for (String name :
        List.of(
            "package.json",
            "packages/ui/package.json",
            "package-lock.json",
            "patches/express.patch",
            ".npmrc")) {
      String before = key(Map.of());
      write(name, "changed");
      assertThat(key(Map.of())).as(name).isNotEqualTo(before);
    }
  }

  @Test
  void variablesThatInstallsReadDecideAndOthersDoNot() {
    String without = key(Map.of());

    assertThat(key(Map.of("GREETING", "hello"))).isEqualTo(without);
    for (String name :
        List.of("NODE_ENV", "npm_config_registry", "PUPPETEER_SKIP_DOWNLOAD", "SHOP_TOKEN")) {
      assertThat(key(Map.of(name, "1"))).as(name).isNotEqualTo(without);
    }
  }

  @Test
  void accountsToolsAndCommandsAreApart() {
    String one = key(Map.of());

    assertThat(key(new CacheOwner("acc_bob"), "npm ci", List.of("node@22.12.0"))).isNotEqualTo(one);
    assertThat(key(ADA, "npm install", List.of("node@22.12.0"))).isNotEqualTo(one);
    assertThat(key(ADA, "npm ci", List.of("node@22.13.0"))).isNotEqualTo(one);
  }

  @Test
  void anInputOutsideOfTheCheckoutIsNotRead() {
    assertThat(InputFiles.of(source, List.of("../", "/etc/passwd", "missing"))).isEmpty();
  }

  private String key(Map<String, String> env) {
    return DependencyKey.of(
            ADA, install("npm ci"), source, List.of("node@22.12.0"), env, OperatorSettings.NONE)
        .text();
  }

  private String key(CacheOwner owner, String command, List<String> tools) {
    return DependencyKey.of(owner, install(command), source, tools, Map.of(), OperatorSettings.NONE)
        .text();
  }

  private static Install install(String command) {
    Step step =
        new Step(
            "install",
            "",
            List.of(command.split(" ", -1)),
            Map.of(),
            FailureCode.INSTALL_FAILED,
            Optional.empty());
    return new Install(List.of(step), INPUTS, List.of());
  }

  private void write(String name, String text) throws IOException {
    Path file = source.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
