package dev.slipway.dashboard;

import java.util.List;

/** How to log in to a database, as the API tells who asks for it. */
public record DatabaseConnection(
    String url, String host, int port, String user, String password, String database) {

  /**
   * One of its parts.
   *
   * @param id of the element that shows it
   */
  public record Field(String id, String name, String value) {}

  public List<Field> fields() {
    return List.of(
        new Field("conn-url", "Address", url),
        new Field("conn-host", "Host", host),
        new Field("conn-port", "Port", Integer.toString(port)),
        new Field("conn-user", "User", user),
        new Field("conn-password", "Password", password),
        new Field("conn-database", "Database", database));
  }

  @Override
  public String toString() {
    return "[secret]";
  }
}
