package dev.slipway.dashboard;

import dev.slipway.account.Callers;
import dev.slipway.account.Users;
import dev.slipway.api.LocalRequest;
import dev.slipway.core.AccountId;
import dev.slipway.domain.DomainService;
import dev.slipway.migration.MigrationService;
import dev.slipway.project.ProjectService;
import java.util.List;

/** Tier and limits of the account, and how much of them is used. */
final class UsagePages implements Pages {
  private static final SettingsTab TAB = SettingsTab.USAGE;

  private final Callers callers;
  private final Users users;
  private final MigrationService migrations;
  private final ProjectService projects;
  private final DomainService domains;
  private final int maxDomains;

  /**
   * @param maxDomains of one account
   */
  UsagePages(
      Callers callers,
      Users users,
      MigrationService migrations,
      ProjectService projects,
      DomainService domains,
      int maxDomains) {
    this.callers = callers;
    this.users = users;
    this.migrations = migrations;
    this.projects = projects;
    this.domains = domains;
    this.maxDomains = maxDomains;
  }

  private record Account(String tier, Limits limits) {}

  private record Limits(int requestsPerMinute, int concurrentMigrations) {}

  @Override
  public void mount(Site site) {
    site.get(TAB.path(), visit -> TAB.show("usage.jte", page(visit)));
    site.get(TAB.path() + "/bars", visit -> new Reply.Fragment("settings/bars.jte", page(visit)));
  }

  private UsagePage page(Visit visit) {
    AccountId account = visit.who().account().id();
    Account known = visit.ask(LocalRequest.of("getAccount"), Account.class);
    return new UsagePage(
        known.tier(),
        List.of(
            Bar.of(
                "API requests in this minute",
                callers.requests(account),
                known.limits().requestsPerMinute()),
            Bar.of(
                "Migrations under way",
                migrations.underWay(account),
                known.limits().concurrentMigrations()),
            Bar.of("Custom domains", domains.count(account), maxDomains)),
        projects.count(account),
        users.list(visit.who()).size());
  }
}
