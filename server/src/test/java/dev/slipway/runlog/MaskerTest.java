package dev.slipway.runlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Source: API decisions, "Logs", masking. */
class MaskerTest {
  private static final String SECRET = "p@ss word!/+~1";

  private final Masker masker = new Masker(List.of(SECRET));

  @Test
  void aSecretIsMaskedWhereverItStands() {
    assertThat(masker.mask("a " + SECRET + " b" + SECRET))
        .isEqualTo("a " + Masker.MASK + " b" + Masker.MASK);
  }

  @Test
  void aWordThatIsNoSecretIsNotMasked() {
    Masker ofModes = new Masker(List.of("production", "production-key"));
    assertThat(ofModes.mask("npm install --production=false")).doesNotContain(Masker.MASK);
    assertThat(ofModes.mask("with production-key")).isEqualTo("with " + Masker.MASK);
  }

  @Test
  void itsUrlEncodedFormsAreMasked() {
    assertThat(masker.mask("https://ada:p%40ss%20word%21%2F%2B%7E1@host"))
        .isEqualTo("https://ada:[masked]@host");
    assertThat(masker.mask("password=p%40ss+word%21%2F%2B%7E1&x=1"))
        .isEqualTo("password=[masked]&x=1");
  }

  @Test
  void theFormThatJavaScriptMakesIsMasked() {
    // encodeURIComponent leaves !'()* and ~ as they are; most applications here are of Node.
    assertThat(masker.mask("https://ada:p%40ss%20word!%2F%2B~1@host"))
        .isEqualTo("https://ada:[masked]@host");
  }

  @Test
  void itsBase64FormsAreMasked() {
    byte[] bytes = SECRET.getBytes(StandardCharsets.UTF_8);

    for (Base64.Encoder encoder :
        List.of(
            Base64.getEncoder(),
            Base64.getEncoder().withoutPadding(),
            Base64.getUrlEncoder().withoutPadding())) {
      assertThat(masker.mask("Basic " + encoder.encodeToString(bytes)))
          .isEqualTo("Basic " + Masker.MASK);
    }
  }

  @Test
  void theLinesOfASecretAreMaskedEachForItself() {
    Masker lines =
        new Masker(List.of("-----BEGIN KEY-----\r\nMIIEvQIBADANBg\n  tail-of-key\nab\n"));

    assertThat(lines.mask("MIIEvQIBADANBg")).isEqualTo(Masker.MASK);
    assertThat(lines.mask("key: tail-of-key")).isEqualTo("key: " + Masker.MASK);
    assertThat(lines.mask("ab")).isEqualTo("ab");
  }

  @Test
  void ofTwoSecretsThatOverlapNoneIsLeftHalfReadable() {
    Masker two = new Masker(List.of("password", "password-of-the-shop"));

    assertThat(two.mask("password-of-the-shop password")).isEqualTo("[masked] [masked]");
  }

  @Test
  void whatHasLessThanEightCharactersIsNoSecret() {
    assertThat(new Masker(List.of("1234567", "")).mask("port 1234567")).isEqualTo("port 1234567");
    assertThat(new Masker(List.of("12345678")).mask("port 12345678")).isEqualTo("port [masked]");
  }

  @Test
  void base64ThatAProgramBreaksIntoLinesIsMaskedLineByLine() {
    String key = "-key-of-ninety-characters".repeat(4);
    String encoded = Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8));
    Masker masker = new Masker(List.of(key));

    for (int columns : List.of(76, 64)) {
      assertThat(masker.mask(encoded.substring(0, columns))).isEqualTo(Masker.MASK);
      assertThat(masker.mask(encoded.substring(columns)))
          .doesNotContain(encoded.substring(columns));
    }
  }
}
