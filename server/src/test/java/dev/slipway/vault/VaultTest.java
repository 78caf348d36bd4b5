package dev.slipway.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.EnvVars;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VaultTest {
  private static final byte[] SECRET = "s3cret-of-the-shop".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path directory;

  @Test
  void whatWasSealedOpensForItsOwnerAfterARestart() throws IOException {
    byte[] sealed = vault().seal(SECRET, "prj_1");

    assertThat(vault().open(sealed, "prj_1")).isEqualTo(SECRET);
    assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("s3cret");
  }

  @Test
  void whatWasSealedForAnotherRowDoesNotOpen() throws IOException {
    byte[] sealed = vault().seal(SECRET, "prj_1");

    assertThatThrownBy(() -> vault().open(sealed, "prj_2"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("prj_2")
        .hasMessageContaining("secrets.key_file");
  }

  @Test
  void whatWasAlteredDoesNotOpen() throws IOException {
    byte[] sealed = vault().seal(SECRET, "prj_1");
    sealed[sealed.length / 2] ^= 1;

    assertThatThrownBy(() -> vault().open(sealed, "prj_1"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theSameSecretLooksDifferentEachTime() throws IOException {
    Vault vault = vault();

    assertThat(vault.seal(SECRET, "prj_1")).isNotEqualTo(vault.seal(SECRET, "prj_1"));
  }

  @Test
  void variablesComeBackAsTheyWere() throws IOException {
    EnvVars env = new EnvVars(Map.of("A", "", "B", "two\nlines \"q\" \u00e4 \uD83D\uDE80"));

    assertThat(vault().openEnv(vault().sealEnv(env, "dep_1"), "dep_1")).isEqualTo(env);
  }

  @Test
  void theKeyFileIsOursAloneAndNothingElseIsLeft() throws IOException {
    vault();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keyFile())))
        .isEqualTo("rw-------");
    try (Stream<Path> files = Files.list(keyFile().getParent())) {
      assertThat(files).containsExactly(keyFile());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{}", "[]", "null", "\"text\"", "not json", "{\"key\": 5}"})
  void aDamagedKeyFileIsReportedAndLeftAsItIs(String content) throws IOException {
    Files.createDirectories(keyFile().getParent());
    Files.writeString(keyFile(), content);

    assertThatThrownBy(this::vault)
        .isInstanceOf(IOException.class)
        .hasMessage("the key file %s is damaged: restore it from a backup", keyFile());
    assertThat(keyFile()).hasContent(content);
  }

  private Path keyFile() {
    return directory.resolve("keys/master.json");
  }

  private Vault vault() throws IOException {
    return Vault.open(keyFile());
  }
}
