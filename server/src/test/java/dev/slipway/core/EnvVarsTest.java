package dev.slipway.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class EnvVarsTest {
  private static final EnvVars MANAGED =
      new EnvVars(Map.of("DATABASE_URL", "postgresql://u:p$1@h/d", "PGHOST", "h"));

  @Test
  void onesOwnValueWinsOverTheManagedOne() {
    assertThat(over("PGHOST", "elsewhere"))
        .containsEntry("PGHOST", "elsewhere")
        .containsEntry("DATABASE_URL", "postgresql://u:p$1@h/d");
  }

  @Test
  void aValueMayReferToManagedOnes() {
    assertThat(over("APP_DB", "jdbc:${{PGHOST}}/x?url=${{ DATABASE_URL }}"))
        .containsEntry("APP_DB", "jdbc:h/x?url=postgresql://u:p$1@h/d");
  }

  @Test
  void onesOwnMayAddToTheManagedOneOfTheSameName() {
    assertThat(over("DATABASE_URL", "${{DATABASE_URL}}?sslmode=disable"))
        .containsEntry("DATABASE_URL", "postgresql://u:p$1@h/d?sslmode=disable");
  }

  @Test
  void whatRefersToNoManagedOneStays() {
    for (String literal :
        new String[] {"${{OTHER}}", "${PGHOST}", "$PGHOST", "${{PGHOST}", "${{}}", "{{PGHOST}}"}) {
      assertThat(over("APP", literal)).containsEntry("APP", literal);
    }
  }

  @Test
  void nothingRefersToOnesOwn() {
    EnvVars own = new EnvVars(Map.of("SECRET", "s", "COPY", "${{SECRET}}"));
    assertThat(own.over(MANAGED).values()).containsEntry("COPY", "${{SECRET}}");
  }

  private static Map<String, String> over(String name, String value) {
    return new EnvVars(Map.of(name, value)).over(MANAGED).values();
  }
}
