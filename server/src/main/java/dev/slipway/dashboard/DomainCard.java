package dev.slipway.dashboard;

import java.util.Optional;

/**
 * A domain on the page of its project.
 *
 * @param project its id
 * @param typed the certificate that was refused; empty where none was
 */
public record DomainCard(String project, DomainFacts domain, Optional<String> typed) {
  static DomainCard of(String project, DomainFacts domain) {
    return new DomainCard(project, domain, Optional.empty());
  }

  public String path() {
    return "%s/%s".formatted(DomainsPage.path(project), domain.id());
  }

  public String tone() {
    return domain.status().equals("failed") ? "bad" : "warn";
  }
}
