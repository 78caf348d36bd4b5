package dev.slipway.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperatorSettingsTest {
  @TempDir Path home;
  @TempDir Path etc;

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
            home,
            etc);

    assertThat(settings.env())
        .containsEntry("https_proxy", "http://proxy:3128")
        .containsEntry("NPM_CONFIG_REGISTRY", "https://npm.example")
        .containsEntry("PIP_INDEX_URL", "https://pypi.example")
        .doesNotContainKeys("PATH", "NPM_CONFIG_CACHE", "PIP_CONFIG_FILE");
    assertThat(settings.env().values()).doesNotContain("secret");
  }

  @Test
  void whatNpmAndPipAreToldTheOthersAreToldToo() throws IOException {
    Files.writeString(home.resolve(".npmrc"), "registry=https://npm.example/\n");
    Files.writeString(
        etc.resolve("pip.conf"),
        """
        [global]
        index-url = https://pypi.example/simple
        extra-index-url =
            https://one.example
            https://two.example
        [list]
        format = columns
        """);
    Map<String, String> proxy = Map.of("HTTPS_PROXY", "http://proxy:3128");

    assertThat(OperatorSettings.of(proxy, home, etc).env())
        .containsOnly(
            Map.entry("HTTPS_PROXY", "http://proxy:3128"),
            Map.entry("YARN_HTTPS_PROXY", "http://proxy:3128"),
            Map.entry("YARN_NPM_REGISTRY_SERVER", "https://npm.example"),
            Map.entry("BUN_CONFIG_REGISTRY", "https://npm.example/"),
            Map.entry("PIP_INDEX_URL", "https://pypi.example/simple"),
            Map.entry("UV_DEFAULT_INDEX", "https://pypi.example/simple"),
            Map.entry("PIP_EXTRA_INDEX_URL", "https://one.example https://two.example"),
            Map.entry("UV_INDEX", "https://one.example https://two.example"));
  }

  @Test
  void theServersUserOverridesTheMachine() throws IOException {
    Files.writeString(etc.resolve("pip.conf"), "[global]\ntimeout = 5\n");
    Files.createDirectories(home.resolve(".config/pip"));
    Files.writeString(home.resolve(".config/pip/pip.conf"), "[global]\ntimeout = 9\n");

    assertThat(OperatorSettings.of(Map.of(), home, etc).env()).containsEntry("PIP_TIMEOUT", "9");
  }

  @Test
  void addressesWithALoginAndPlacesThatABuildDoesNotSeeStayHere() {
    assertThat(
            OperatorSettings.of(
                    Map.of(
                        "PIP_INDEX_URL", "https://me:secret@pypi.example/simple",
                        "PIP_FIND_LINKS", "/opt/wheels",
                        "UV_FIND_LINKS", "https://wheels.example"),
                    home,
                    etc)
                .env())
        .containsOnlyKeys("UV_FIND_LINKS");
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

  @ParameterizedTest
  @CsvSource({
    "HTTP_PROXY, http://127.0.0.1:3128",
    "https_proxy, localhost:3128",
    "NPM_CONFIG_REGISTRY, http://localhost:4873/",
    "PIP_INDEX_URL, http://[::1]:3141/root/pypi",
    "UV_INDEX, internal=http://me@127.0.0.1:3141/simple",
  })
  void aProxyOrRegistryOnThisMachineIsFound(String name, String value) {
    assertThat(new OperatorSettings(Map.of(name, value), "", List.of()).onThisMachine())
        .isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    "NO_PROXY, localhost",
    "HTTP_PROXY, http://192.0.2.250:3128",
    "PIP_CERT, /etc/ssl/certs/ca-certificates.crt",
    "HTTP_PROXY, http://host.invalid:3128",
  })
  void whatIsElsewhereIsNot(String name, String value) {
    assertThat(new OperatorSettings(Map.of(name, value), "fund=false", List.of()).onThisMachine())
        .isEmpty();
  }

  @Test
  void aRegistryOfTheNpmConfigurationOnThisMachineIsFound() {
    String npmrc = "fund=false\nregistry=http://127.0.0.1:4873/";

    assertThat(new OperatorSettings(Map.of(), npmrc, List.of()).onThisMachine())
        .contains("127.0.0.1");
  }
}
