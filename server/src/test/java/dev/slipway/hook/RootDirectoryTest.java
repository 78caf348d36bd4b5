package dev.slipway.hook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RootDirectoryTest {
  @ParameterizedTest
  @ValueSource(strings = {"", ".", "./", "/", "./.", "/."})
  void allOfARepositoryIsNoPartOfIt(String setting) {
    assertThat(RootDirectory.of(setting)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"apps/web", "/apps/web", "./apps/web/", "apps/web//", "./apps/web/."})
  void aPartIsTheSameHoweverItIsWritten(String setting) {
    assertThat(RootDirectory.of(setting)).contains(new RootDirectory("apps/web"));
  }

  @ParameterizedTest
  @CsvSource({
    "apps/web/server.js, true",
    "apps/web/deep/er/README.md, true",
    "apps/web, true", // a submodule
    "apps/web2/server.js, false",
    "docs/apps/web/server.js, false",
    "README.md, false",
    "apps/README.md, false",
    "package-lock.json, true",
    "apps/slipway.yaml, true",
    "other/package.json, false",
    "apps/other/package.json, false",
  })
  void itIsTouchedByWhatIsBelowItAndByWhatIsReadAboveIt(String file, boolean touched) {
    assertThat(new RootDirectory("apps/web").isTouchedBy(List.of("a.txt", file)))
        .isEqualTo(touched);
  }
}
