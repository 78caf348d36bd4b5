package dev.slipway.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.slipway.account.Account;
import dev.slipway.account.Accounts;
import dev.slipway.config.InstanceTypeConfig;
import dev.slipway.config.TierConfig;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What the configuration offers, and what of it the caller's account may use. */
public final class CatalogOperations implements Operations {
  private static final Answer.Pagination ALL = new Answer.Pagination(false, null);

  private final Accounts accounts;
  private final MigrationOperations.Choices choices;
  private final List<InstanceTypeConfig> instanceTypes;
  private final Function<String, TierConfig> tiers;

  /**
   * @param instanceTypes the first is the default
   * @param tiers by name
   */
  CatalogOperations(
      Accounts accounts,
      MigrationOperations.Choices choices,
      List<InstanceTypeConfig> instanceTypes,
      Function<String, TierConfig> tiers) {
    this.accounts = accounts;
    this.choices = choices;
    this.instanceTypes = List.copyOf(instanceTypes);
    this.tiers = tiers;
  }

  @Override
  public Map<String, Handler> handlers() {
    return Map.of(
        "listRegions", this::regions,
        "listInstanceTypes", this::instanceTypes,
        "getAccount", this::account);
  }

  record RegionView(String name, @JsonProperty("default") boolean isDefault) {}

  private Answer regions(Call call) {
    return new Answer.Listed(
        choices.regions().stream()
            .map(name -> new RegionView(name, name.equals(choices.defaultRegion())))
            .toList(),
        ALL);
  }

  record InstanceTypeView(
      String name, @JsonProperty("default") boolean isDefault, int memoryMb, double cpus) {}

  private Answer instanceTypes(Call call) {
    return new Answer.Listed(
        instanceTypes.stream()
            .map(type ->
                new InstanceTypeView(
                    type.name(),
                    type.equals(instanceTypes.getFirst()),
                    type.memoryMb(),
                    type.cpus()))
            .toList(),
        ALL);
  }

  record AccountView(String id, String tier, LimitsView limits, Instant createdAt) {}

  record LimitsView(int requestsPerMinute, int concurrentMigrations) {}

  private Answer account(Call call) {
    Account account = accounts.get(call.account());
    TierConfig tier = tiers.apply(account.tier());
    return Answer.ok(
        new AccountView(
            account.id().value(),
            account.tier(),
            new LimitsView(tier.requestsPerMinute(), tier.concurrentMigrations()),
            account.createdAt()));
  }
}
