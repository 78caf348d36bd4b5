package dev.slipway.dashboard;

import dev.slipway.account.Audit;
import dev.slipway.account.AuditEntry;
import java.util.List;
import java.util.Optional;

/** The log of who did what in the account. */
final class AuditPages implements Pages {
  private static final SettingsTab TAB = SettingsTab.AUDIT;
  private static final int PAGE = 50;

  private final Audit audit;

  AuditPages(Audit audit) {
    this.audit = audit;
  }

  @Override
  public void mount(Site site) {
    site.get(TAB.path(), TAB.need(), this::show);
  }

  private Reply show(Visit visit) {
    // A number that is none, or too long to be one of ours, begins at the newest.
    Optional<Long> before =
        visit.query("before").filter(it -> it.matches("[0-9]{1,18}")).map(Long::valueOf);
    // One more than is shown tells whether there are older ones.
    List<AuditEntry> found = audit.list(visit.who().account().id(), before, PAGE + 1);
    List<AuditEntry> shown = found.subList(0, Math.min(PAGE, found.size()));
    return TAB.show(
        "audit.jte",
        new AuditPage(
            shown.stream().map(AuditPages::row).toList(),
            found.size() > PAGE
                ? "%s?before=%d".formatted(TAB.address(), shown.getLast().id())
                : "",
            before.isPresent() ? TAB.address() : ""));
  }

  private static AuditPage.Row row(AuditEntry entry) {
    return new AuditPage.Row(
        AuditWords.sentence(entry.action()),
        entry.subject(),
        ResourceLink.of(entry.subject()),
        entry.detail(),
        entry.actor(),
        entry.byKey(),
        entry.at());
  }
}
