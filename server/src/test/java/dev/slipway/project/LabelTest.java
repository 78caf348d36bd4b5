package dev.slipway.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelTest {
  private static final String HOST_NAME_PART = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";

  @ParameterizedTest
  @CsvSource({
    "shop, shop",
    "My Shop!, my-shop",
    "shop.git, shop-git",
    "--a__b--, a-b",
    "xn--shop, xn-shop",
    "Äpfel, pfel",
    "日本, app",
    "api, api-app",
    "WWW, www-app",
    "a23456789012345678901234567890123456789012345, a234567890123456789012345678901234567890"
  })
  void aNameBecomesASlug(String name, String label) {
    assertThat(Label.of(name)).isEqualTo(label);
  }

  @Test
  void aLongNameIsCutWithoutADashAtItsEnd() {
    assertThat(Label.of("x".repeat(39) + " yyy")).isEqualTo("x".repeat(39));
  }

  @Test
  void aLabelThatIsTakenGetsAnotherSuffixEachTime() {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      String label = Label.withSuffix("shop");
      assertThat(label).matches("shop-[a-z0-9]{4}");
      seen.add(label);
    }
    assertThat(seen).hasSizeGreaterThan(95);
    assertThat(Label.withSuffix("x".repeat(40))).hasSize(40).matches(HOST_NAME_PART);
    assertThat(Label.withSuffix("x".repeat(34) + "-yyyyy")).doesNotContain("--");
  }

  @Test
  void thePreviewOfTheLongestLabelIsStillAHostName() {
    String preview = Label.ofPreview("x".repeat(40));

    assertThat(preview).startsWith("x".repeat(40) + "--").matches(HOST_NAME_PART);
    assertThat(preview.substring(42)).hasSize(16);
    assertThat(Label.ofPreview("shop")).isNotEqualTo(Label.ofPreview("shop"));
  }

  @Test
  void theAddressOfAPullRequestIsAHostNameHoweverLongItsParts() {
    String label = Label.ofPullRequest("shop", 7);
    assertThat(label).matches("shop--pr-7-[a-z0-9]{16}");
    assertThat(Label.ofPullRequest("shop", 7)).isNotEqualTo(label);

    String longest = Label.ofPullRequest("x".repeat(40), Integer.MAX_VALUE);
    assertThat(longest).hasSize(63).matches(HOST_NAME_PART).contains("--pr-2147483647-");
    assertThat(Label.ofPullRequest("x".repeat(30) + "-" + "y".repeat(9), Integer.MAX_VALUE))
        .startsWith("x".repeat(30) + "--pr-");
  }
}
