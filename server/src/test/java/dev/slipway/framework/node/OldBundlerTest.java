package dev.slipway.framework.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.framework.Tool;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OldBundlerTest {
  private static final Locked NOTHING = new Locked("");

  @ParameterizedTest
  @CsvSource({
    "next, 9.5.5, true",
    "next, ^11.1.0, true",
    "next, ^12.0.0, false",
    "next, latest, false",
    "next, >=10, false",
    "react-scripts, ~4.0.3, true",
    "react-scripts, 5.0.1, false",
    "@angular-devkit/build-angular, ~0.1102.19, true",
    "vite, ^2.0.0, false"
  })
  void whatBringsItsWebpackAlongIsKnownByItsVersion(String name, String version, boolean old) {
    assertThat(OldBundler.of(manifest(name, version), NOTHING).isPresent()).isEqualTo(old);
  }

  @ParameterizedTest
  @CsvSource({"4.46.0, true", "4.47.0, false", "5.91.0, false"})
  void whatTakesAnyWebpackIsKnownByTheLockfile(String webpack, boolean old) {
    Locked lockfile = new Locked("webpack@^4.0.0:\n  version \"%s\"\n".formatted(webpack));

    assertThat(OldBundler.of(manifest("@vue/cli-service", "~4.5.0"), lockfile).isPresent())
        .isEqualTo(old);
    assertThat(OldBundler.of(manifest("@vue/cli-service", "~4.5.0"), NOTHING)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\n \"node_modules/next\": {\n  \"version\": \"10.2.3\",",
        "{\n  \"dependencies\": {\n    \"next\": {\n      \"version\": \"10.2.3\",",
        "next@latest, next@^10:\n  version \"10.2.3\"\n",
        "\"next@npm:latest\":\n  version: 10.2.3\n",
        "importers:\n  .:\n    dependencies:\n      next:\n        specifier: latest\n        version: 10.2.3(react@17.0.2)\n",
        "specifiers:\n  next: latest\ndependencies:\n  next: 10.2.3_react@17.0.2\n",
        "packages:\n  /next/10.2.3:\n",
        "packages:\n  next@10.2.3:\n",
        "{\"packages\": {\n    \"next\": [\"next@10.2.3\", \"\", {}]"
      })
  void aLockfileOfAnyKindSaysWhichVersionItIs(String text) {
    assertThat(new Locked(text).version("next")).contains("10.2.3");
    assertThat(new Locked(text).version("ext")).isEmpty();
    assertThat(OldBundler.of(manifest("next", "latest"), new Locked(text)))
        .contains(new OldBundler("next", "10.2.3"));
  }

  @ParameterizedTest
  @CsvSource({"'', 16", "*, 16", ">=12, >=12 <17", ">= 10.13.0, >= 10.13.0 <17"})
  void anOpenRangeLeavesRoomForAnOldNode(String range, String chosen) {
    assertThat(OldNode.within(range)).contains(chosen);
  }

  @ParameterizedTest
  @ValueSource(strings = {"18", ">=18", "^14", ">=12 <21", "20.9.0", "lts/*"})
  void aRangeThatSomebodyDecidedOnIsKept(String range) {
    assertThat(OldNode.within(range)).isEqualTo(Optional.empty());
  }

  @Test
  void aPackageManagerThatNeedsANewerNodeCountsMore() {
    assertThat(OldNode.runs(new Tool("pnpm", "^8"))).isTrue();
    assertThat(OldNode.runs(new Tool("pnpm", "^9"))).isFalse();
    assertThat(OldNode.runs(new Tool("yarn", "4.1.0"))).isFalse();
    assertThat(OldNode.runs(new Tool("npm", ""))).isTrue();
    assertThat(OldNode.runs(new Tool("bun", "1.1.0"))).isTrue();
  }

  private static PackageJson manifest(String name, String version) {
    return PackageJson.parse("{\"devDependencies\": {\"%s\": \"%s\"}}".formatted(name, version))
        .orElseThrow();
  }
}
