package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorSettingsTest {
  @TempDir Path home;

  @Test
  void whatReachesRegistriesIsPassedOnAndNothingElse() {
    OperatorSettings settings =
        OperatorSettings.of(
            Map.of(
                "https_proxy", "http://proxy:3128",
                "NPM_CONFIG_REGISTRY", "https://npm.example",
                "PIP_INDEX_URL", "https://pypi.example",
                "SLIPWAY_STORE_PASSWORD", "secret",
                "PATH", "/usr/bin",
                "npm_config__authToken", "secret",
                "NPM_CONFIG_CACHE", "/root/.npm",
                "PIP_CONFIG_FILE", "/root/pip.conf"),
            home);

    assertThat(settings.env())
        .containsOnlyKeys("https_proxy", "NPM_CONFIG_REGISTRY", "PIP_INDEX_URL");
  }

  @Test
  void linesOfTheNpmConfigurationWithCredentialsStayHere() throws IOException {
    Files.writeString(
        home.resolve(".npmrc"),
        """
        registry=https://npm.example/
        //npm.example/:_authToken=secret
        _auth = secret
        //npm.example/:_password="secret"
        proxy=http://me:secret@proxy:3128
        key="-----BEGIN secret"
        cache=/root/.npm
        strict-ssl=false
        """);

    assertThat(OperatorSettings.of(Map.of(), home).npmrc().lines())
        .containsExactly("registry=https://npm.example/", "strict-ssl=false");
  }

  @Test
  void certificatesThatASandboxWouldNotShowAreListed() throws IOException {
    Path certificate = Files.writeString(home.resolve("company.pem"), "");

    assertThat(
            OperatorSettings.of(
                    Map.of(
                        "NODE_EXTRA_CA_CERTS", certificate.toString(), "SSL_CERT_DIR", "/etc/ssl"),
                    home)
                .files())
        .containsExactly(certificate);
  }
}
