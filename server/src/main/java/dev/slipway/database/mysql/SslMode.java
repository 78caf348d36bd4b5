package dev.slipway.database.mysql;

import dev.slipway.database.DatabasePlace;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether a connection is encrypted, as MySQL calls it. */
enum SslMode {
  DISABLED("disable", false),
  /** Where the server can do it. */
  PREFERRED("trust", true),
  REQUIRED("trust", false),
  VERIFY_IDENTITY("verify-full", false);

  static final String PARAMETER = "ssl-mode";

  private final String ofDriver;
  private final boolean orNone;

  SslMode(String ofDriver, boolean orNone) {
    this.ofDriver = ofDriver;
    this.orNone = orNone;
  }

  /** What the driver is to try, one after the other where the server has no encryption. */
  List<String> ofDriver() {
    return orNone ? List.of(ofDriver, DISABLED.ofDriver) : List.of(ofDriver);
  }

  /** What the address says; where it says nothing, there is none on this host. */
  static SslMode of(DatabasePlace place) {
    return Optional.ofNullable(place.parameters().get(PARAMETER))
        .map(SslMode::valueOf)
        .orElse(MysqlSessionStore.isHere(place.host()) ? DISABLED : PREFERRED);
  }

  /**
   * @throws IllegalArgumentException with what is wrong
   */
  static SslMode parse(String text) {
    return Arrays.stream(values())
        .filter(mode -> mode.name().equals(text))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "has an ssl-mode that is none of "
                    + Arrays.stream(values()).map(Enum::name).collect(Collectors.joining(", "))));
  }
}
