package dev.slipway.db;

import java.lang.reflect.Type;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.argument.AbstractArgumentFactory;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.generic.GenericTypes;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jspecify.annotations.Nullable;

/**
 * How rows become values and values become parameters.
 *
 * <ul>
 *   <li>A record is a row: the column {@code live_at} is its component {@code liveAt}.
 *   <li>A record with the single component {@code value}, such as an id, is a column.
 *   <li>{@link Instant} is {@code timestamptz}, cut to the microseconds that this keeps.
 * </ul>
 */
final class Mapping {
  private Mapping() {}

  static Jdbi over(DataSource pool) {
    return over(Jdbi.create(pool));
  }

  /** All on that connection, in whatever transaction is open there. */
  static Jdbi over(Connection connection) {
    return over(Jdbi.create(connection));
  }

  private static Jdbi over(Jdbi plain) {
    return plain
        .registerArgument(new Instants())
        .registerColumnMapper(Instant.class, (row, column, context) -> instant(row, column))
        .registerArgument(new ValueRecords())
        .registerColumnMapper(new ValueRecords())
        .registerRowMapper(Mapping::recordRow);
  }

  private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
    return value == null ? null : value.toInstant();
  }

  private static Optional<RowMapper<?>> recordRow(Type type, ConfigRegistry config) {
    Class<?> erased = GenericTypes.getErasedType(type);
    return erased.isRecord() && !ValueRecords.isOne(erased)
        ? Optional.of(ConstructorMapper.of(erased))
        : Optional.empty();
  }

  // Of this base class, since JDBI asks its own factory for Instant before it asks any other kind.
  private static final class Instants extends AbstractArgumentFactory<Instant> {
    private Instants() {
      super(Types.TIMESTAMP_WITH_TIMEZONE);
    }

    @Override
    protected Argument build(Instant value, ConfigRegistry config) {
      OffsetDateTime kept = value.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
      return (position, statement, context) -> statement.setObject(position, kept);
    }
  }
}
