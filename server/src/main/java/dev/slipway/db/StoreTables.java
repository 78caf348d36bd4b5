package dev.slipway.db;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The tables of a store that a backup keeps, in an order in which they can be filled. */
final class StoreTables {
  // Unlogged ones count what begins anew after a crash anyway. A session that was ended after the
  // backup must not come back with it, nor an invitation that was withdrawn or used, nor a browser
  // that a stolen password was used in.
  private static final String TABLES =
      """
      SELECT c.relname AS name,
             (SELECT array_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
               WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                 AND a.attgenerated = '') AS columns
        FROM pg_class c
       WHERE c.relnamespace = current_schema()::regnamespace
         AND c.relkind = 'r' AND c.relpersistence = 'p'
         AND c.relname NOT IN ('%s', 'session', 'invitation', 'known_browser')
       ORDER BY c.relname
      """
          .formatted(SchemaMigrations.HISTORY);

  private static final String REFERENCES =
      """
      SELECT from_table.relname AS referring, to_table.relname AS referred
        FROM pg_constraint f
        JOIN pg_class from_table ON from_table.oid = f.conrelid
        JOIN pg_class to_table ON to_table.oid = f.confrelid
       WHERE f.contype = 'f' AND f.conrelid <> f.confrelid
         AND from_table.relnamespace = current_schema()::regnamespace
      """;

  private StoreTables() {}

  /** Each after those that it refers to. */
  static List<StoreDump.Table> of(Connection connection) throws SQLException {
    Map<String, StoreDump.Table> all = new LinkedHashMap<>();
    Map<String, Set<String>> referred = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement()) {
      try (ResultSet rows = statement.executeQuery(TABLES)) {
        while (rows.next()) {
          String name = rows.getString("name");
          List<String> columns = List.of((String[]) rows.getArray("columns").getArray());
          all.put(name, new StoreDump.Table(name, columns));
        }
      }
      try (ResultSet rows = statement.executeQuery(REFERENCES)) {
        while (rows.next()) {
          referred
              .computeIfAbsent(rows.getString("referring"), _ -> new LinkedHashSet<>())
              .add(rows.getString("referred"));
        }
      }
    }
    return inOrder(all, referred);
  }

  private static List<StoreDump.Table> inOrder(
      Map<String, StoreDump.Table> all, Map<String, Set<String>> referred) {
    Map<String, StoreDump.Table> ordered = new LinkedHashMap<>();
    while (ordered.size() < all.size()) {
      List<StoreDump.Table> next = new ArrayList<>();
      for (StoreDump.Table table : all.values()) {
        if (!ordered.containsKey(table.name())
            && ordered.keySet().containsAll(referred.getOrDefault(table.name(), Set.of()))) {
          next.add(table);
        }
      }
      if (next.isEmpty()) {
        throw new IllegalStateException("tables of the store refer to each other in a circle");
      }
      next.forEach(table -> ordered.put(table.name(), table));
    }
    return List.copyOf(ordered.values());
  }
}
