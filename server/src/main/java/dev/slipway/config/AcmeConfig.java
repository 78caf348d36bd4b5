package dev.slipway.config;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Certificates by themselves; without this section there are none.
 *
 * @param directory of the certificate authority
 * @param email to which it writes
 * @param caFile with what the authority's own certificate is checked; absent: as this machine does
 */
public record AcmeConfig(URI directory, String email, Optional<Path> caFile) {
  public static final URI LETS_ENCRYPT =
      URI.create("https://acme-v02.api.letsencrypt.org/directory");

  static Optional<AcmeConfig> read(Section section) {
    URI directory = section.value("directory", LETS_ENCRYPT, Kinds.WEB_ADDRESS);
    Optional<String> email = section.required("email", Kinds.EMAIL);
    Optional<Path> caFile = section.value("ca_file", Kinds.PATH);
    section.end();
    return email.map(it -> new AcmeConfig(directory, it, caFile));
  }
}
