package dev.slipway.db;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;
import java.util.Set;

/**
 * What a failed statement says about its cause.
 *
 * @see <a href="https://www.postgresql.org/docs/18/errcodes-appendix.html">PostgreSQL error
 *     codes</a>
 */
record SqlState(String code, boolean poolGaveUp) {
  /** Shut down by the operator, crashed, starting, too many clients; deadlock, serialization. */
  private static final Set<String> PASSING =
      Set.of("57P01", "57P02", "57P03", "53300", "40P01", "40001");

  static SqlState of(SQLException failure) {
    return new SqlState(
        Objects.requireNonNullElse(failure.getSQLState(), ""),
        failure instanceof SQLTransientConnectionException
            || failure.getCause() instanceof InterruptedException);
  }

  /** The same transaction may succeed when it is tried again. */
  boolean isPassing() {
    return poolGaveUp || code.startsWith("08") || PASSING.contains(code);
  }

  boolean isLoginRefused() {
    return code.startsWith("28");
  }
}
