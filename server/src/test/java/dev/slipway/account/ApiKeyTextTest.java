package dev.slipway.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Secret;
import org.junit.jupiter.api.Test;

class ApiKeyTextTest {
  @Test
  void aKeyHasItsPrefixAndIsNeverTheSameTwice() {
    assertThat(ApiKeyText.generate().reveal()).matches("slip_[0-9A-Za-z]{38}");
    assertThat(ApiKeyText.generate()).isNotEqualTo(ApiKeyText.generate());
  }

  @Test
  void aKeyWithItsChecksumIsNotMistyped() {
    for (int i = 0; i < 100; i++) {
      assertThat(ApiKeyText.isMistyped(ApiKeyText.generate().reveal())).isFalse();
    }
  }

  @Test
  void everySingleWrongCharacterIsNoticed() {
    String key = ApiKeyText.generate().reveal();
    for (int at = "slip_".length(); at < key.length(); at++) {
      char wrong = key.charAt(at) == 'x' ? 'y' : 'x';
      String mistyped = key.substring(0, at) + wrong + key.substring(at + 1);
      assertThat(ApiKeyText.isMistyped(mistyped)).as("at %d", at).isTrue();
    }
  }

  @Test
  void aKeyOfTheOperatorsOwnMakingHasNoChecksum() {
    assertThat(ApiKeyText.isMistyped("a-key-of-the-operator-with-32-characters")).isFalse();
  }

  @Test
  void theHintShowsNoMoreThanFourCharactersOfTheSecret() {
    Secret key = ApiKeyText.generate();

    assertThat(ApiKeyText.hint(key)).isEqualTo(key.reveal().substring(0, 9) + "\u2026");
  }
}
