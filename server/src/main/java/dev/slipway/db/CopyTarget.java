package dev.slipway.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A table and its columns as {@code COPY} wants them: names cannot be parameters. */
final class CopyTarget {
  private CopyTarget() {}

  static String of(Connection connection, StoreDump.Table table) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      List<String> columns = new ArrayList<>();
      for (String column : table.columns()) {
        columns.add(statement.enquoteIdentifier(column, true));
      }
      return "%s (%s)"
          .formatted(statement.enquoteIdentifier(table.name(), true), String.join(", ", columns));
    }
  }
}
