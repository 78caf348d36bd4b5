package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.RequestException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The words in which a request is refused. */
class FaultsTest {
  @Test
  void theyAreEnglishWhateverTheHostSpeaks() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMAN);
      Contract contract = Contract.load("/openapi/slipway.yaml");

      assertThat(faults(contract, "{\"source\": 5, \"repo\": \"acme/shop\"}"))
          .containsExactly("source: integer found, string expected");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void eachHasItsWholePath() {
    assertThat(
            faults(
                ApiPlace.CONTRACT,
                "{\"repo\": \"shop\", \"env_vars\": {\"A/B\": \"x\", \"OK\": 1}}"))
        .contains("source: is required", "repo: must be owner/repo")
        .anyMatch(fault -> fault.startsWith("env_vars.OK: "))
        .anyMatch(fault -> fault.startsWith("env_vars") && fault.contains("A/B"));
  }

  @Test
  void withoutAnyNothingIsRefused() {
    new Faults().refuse();
  }

  @Test
  void theFirstFiftyAreToldAndTheOthersCounted() {
    Faults faults = new Faults();
    for (int i = 0; i < 53; i++) {
      faults.add("field" + i, "is wrong");
    }

    assertThatThrownBy(faults::refuse)
        .isInstanceOf(RequestException.class)
        .hasMessageStartingWith("field0: is wrong; field1: is wrong; ")
        .hasMessageEndingWith("field49: is wrong; and 3 more");
  }

  private static List<String> faults(Contract contract, String json) {
    Contract.Operation create =
        contract.operations().stream()
            .filter(operation -> operation.id().equals("createMigration"))
            .findFirst()
            .orElseThrow();
    Faults faults = new Faults();
    contract.check(
        create.body().orElseThrow().schema(),
        Json.read(json.getBytes(StandardCharsets.UTF_8)),
        "",
        faults);
    return faults.sentences();
  }
}
