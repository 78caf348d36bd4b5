package dev.slipway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;

class AddressesTest {
  @Test
  void anAppAnswersAtTheSchemeAndPortOfThePublicAddress() {
    Addresses local = new Addresses(URI.create("http://localhost:8080"), "localhost");

    assertThat(local.ofApp("shop")).isEqualTo("http://shop.localhost:8080");
    assertThat(local.hostOfApp("shop")).isEqualTo("shop.localhost");
    assertThat(local.ofApi("/migrations/mig_1/logs"))
        .isEqualTo("http://localhost:8080/v1/migrations/mig_1/logs");
  }

  @Test
  void aStandardPortIsNotShownAndASlashAtTheEndNotDoubled() {
    Addresses open = new Addresses(URI.create("https://deploy.example.com/"), "apps.example.com");

    assertThat(open.ofApp("shop")).isEqualTo("https://shop.apps.example.com");
    assertThat(open.ofApi("/deployments")).isEqualTo("https://deploy.example.com/v1/deployments");
  }
}
