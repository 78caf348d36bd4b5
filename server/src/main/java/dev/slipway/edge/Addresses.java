package dev.slipway.edge;

import java.net.URI;

/**
 * The addresses that people see.
 *
 * @param publicUrl of API and dashboard, for example {@code http://localhost:8080}
 * @param appsDomain below which every app has a host name of its own
 */
public record Addresses(URI publicUrl, String appsDomain) {
  /** Where an app answers; {@code label} is the first part of its host name. */
  public String ofApp(String label) {
    String port = publicUrl.getPort() < 0 ? "" : ":" + publicUrl.getPort();
    return publicUrl.getScheme() + "://" + hostOfApp(label) + port;
  }

  /** The host name alone, as it stands in the route table. */
  public String hostOfApp(String label) {
    return label + "." + appsDomain;
  }

  /** The address of something of the API: {@code path} begins with a slash. */
  public String ofApi(String path) {
    return of("/v1" + path);
  }

  /** The address of something of this service: {@code path} begins with a slash. */
  public String of(String path) {
    String base = publicUrl.toString();
    return (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path;
  }
}
