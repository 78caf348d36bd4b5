package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class FileNameTest {
  @Test
  void itIsTakenFromEveryFormOfTheHeader() {
    assertThat(name("attachment; filename=shop.zip")).contains("shop.zip");
    assertThat(name("attachment; FileName=\"my \\\"shop\\\".zip\"")).contains("my \"shop\".zip");
    assertThat(name("attachment; filename=a.zip; filename*=UTF-8''caf%C3%A9+1.zip"))
        .contains("café+1.zip");
    assertThat(name("attachment; filename=a.zip; filename*=UTF-8''%zz")).contains("a.zip");
  }

  @Test
  void itIsAFilesNameAlone() {
    assertThat(name("attachment; filename=\"/home/ada/shop.zip\"")).contains("shop.zip");
    assertThat(name("attachment; filename*=utf-8''C%3A%5Cshop%00%0A.zip")).contains("shop.zip");
    assertThat(name("attachment; filename=\"%s\"".formatted("x".repeat(300))))
        .contains("x".repeat(200));
  }

  @Test
  void whatSaysNoNameHasNone() {
    assertThat(FileName.of(Optional.empty())).isEmpty();
    for (String header :
        new String[] {"", "attachment", "filename", "a; filename=\"\"", "a; filename=/"}) {
      assertThat(name(header)).as(header).isEmpty();
    }
  }

  private static Optional<String> name(String header) {
    return FileName.of(Optional.of(header));
  }
}
