package dev.slipway.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The port with TLS; without this section there is none.
 *
 * @param publicPort under which clients reach it
 * @param hsts for how long browsers shall use nothing else for a custom domain; zero: not told
 * @param files of the operator's own certificate
 */
public record HttpsConfig(int port, int publicPort, Duration hsts, Optional<Files> files) {
  static final Duration HSTS = Duration.ofDays(30);

  /** PEM files: the chain, the host's certificate first, and the key of that. */
  public record Files(Path certificate, Path privateKey) {}

  static Optional<HttpsConfig> read(Section section) {
    Optional<Integer> port = section.required("port", Kinds.PORT);
    Optional<Integer> publicPort = section.value("public_port", Kinds.PORT);
    Duration hsts = section.value("hsts", HSTS, Kinds.DURATION_OR_NONE);
    Optional<Path> certificate = section.value("certificate", Kinds.PATH);
    Optional<Path> privateKey = section.value("private_key", Kinds.PATH);
    if (certificate.isPresent() != privateKey.isPresent()) {
      section.problem("certificate", "and private_key belong together: set both or neither");
    }
    section.end();
    return port.map(it ->
        new HttpsConfig(
            it,
            publicPort.orElse(it),
            hsts,
            certificate.flatMap(chain -> privateKey.map(key -> new Files(chain, key)))));
  }
}
