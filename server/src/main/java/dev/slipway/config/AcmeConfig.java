package dev.slipway.config;

import java.net.URI;
import java.util.Optional;

/**
 * Certificates by themselves; without this section there are none.
 *
 * @param directory of the certificate authority
 * @param email to which it writes
 */
public record AcmeConfig(URI directory, String email) {
  public static final URI LETS_ENCRYPT =
      URI.create("https://acme-v02.api.letsencrypt.org/directory");

  static Optional<AcmeConfig> read(Section section) {
    URI directory = section.value("directory", LETS_ENCRYPT, Kinds.WEB_ADDRESS);
    Optional<String> email = section.required("email", Kinds.EMAIL);
    section.end();
    return email.map(it -> new AcmeConfig(directory, it));
  }
}
