package dev.slipway.dashboard;

import java.util.List;
import java.util.Optional;

/**
 * @param name of the domain to add, as it was typed
 * @param older where the earlier ones are
 */
public record DomainsPage(
    ProjectHead head, List<DomainCard> cards, String name, boolean first, Optional<String> older) {
  public DomainsPage {
    cards = List.copyOf(cards);
  }

  static String path(String project) {
    return ProjectHead.path(project) + "/domains";
  }

  public String path() {
    return path(head.id());
  }
}
