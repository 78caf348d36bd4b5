package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.api.ClassPath;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class AuditWordsTest {
  private static final Pattern CHANGES =
      Pattern.compile(
          "(?m)^    (?:post|put|patch|delete):\\n(?:      .*\\n)*?      operationId: (\\w+)");

  @Test
  void everyOperationOfTheContractThatIsWrittenDownHasWords() {
    String contract = new String(ClassPath.read("/openapi/slipway.yaml"), StandardCharsets.UTF_8);

    assertThat(CHANGES.matcher(contract).results().map(it -> it.group(1)))
        .hasSizeGreaterThan(15)
        .filteredOn(it -> !it.equals("createUpload"))
        .allMatch(AuditWords::knows);
  }

  @Test
  void whatHasAPageIsLinkedAndNothingElse() {
    String id = "0".repeat(26);

    assertThat(ResourceLink.of("prj_" + id)).isEqualTo("/dashboard/projects/prj_" + id);
    assertThat(ResourceLink.of("key_" + id)).isEmpty();
    assertThat(ResourceLink.of("prj_1")).isEmpty();
    assertThat(ResourceLink.of("javascript:alert(1)")).isEmpty();
  }
}
