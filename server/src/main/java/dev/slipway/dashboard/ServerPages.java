package dev.slipway.dashboard;

import dev.slipway.api.LocalApi;
import dev.slipway.api.LocalRequest;
import dev.slipway.config.RegionConfig;
import dev.slipway.core.AccountId;
import dev.slipway.edge.Addresses;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the operator has configured and what the host gives: to look at. */
final class ServerPages implements Pages {
  private static final SettingsTab GIT = SettingsTab.GIT;
  private static final SettingsTab SERVER = SettingsTab.SERVER;

  private final ServerFacts facts;
  private final Addresses addresses;

  ServerPages(ServerFacts facts, Addresses addresses) {
    this.facts = facts;
    this.addresses = addresses;
  }

  private record InstanceType(String name, int memoryMb, double cpus) {}

  @Override
  public void mount(Site site) {
    site.get(GIT.path(), this::gitHosts);
    site.get(SERVER.path(), this::server);
  }

  private Reply gitHosts(Visit visit) {
    AccountId account = visit.who().account().id();
    return GIT.show(
        "git.jte",
        new GitHostsPage(
            facts.gitHosts().stream()
                .map(host ->
                    new GitHostsPage.Row(
                        host.kind(), host.address().toString(), host.hasToken().test(account)))
                .toList()));
  }

  private Reply server(Visit visit) {
    return SERVER.show(
        "server.jte",
        new ServerPage(
            facts.version(),
            addresses.publicUrl().toString(),
            "*." + addresses.appsDomain(),
            facts.startedAt(),
            disk(),
            facts.isolation(),
            IsolationFindings.of(facts.protection().get()),
            regions(),
            types(visit),
            tiers(visit.who().account().tier())));
  }

  private Optional<Bar> disk() {
    try {
      FileStore store = Files.getFileStore(facts.dataDir());
      long free = store.getUsableSpace();
      long used = store.getTotalSpace() - free;
      return Optional.of(
          new Bar(
              "Disk of the data directory",
              used,
              store.getTotalSpace(),
              "%s of %s used, %s free"
                  .formatted(
                      Shown.bytes(used), Shown.bytes(store.getTotalSpace()), Shown.bytes(free))));
    } catch (IOException silent) {
      return Optional.empty();
    }
  }

  private List<ServerPage.Region> regions() {
    RegionConfig first = facts.regions().getFirst();
    return facts.regions().stream()
        .map(region ->
            new ServerPage.Region(
                region.name(),
                region.runtime().name().toLowerCase(Locale.ROOT),
                region.equals(first)))
        .toList();
  }

  private static List<ServerPage.Type> types(Visit visit) {
    LocalApi.Listed<InstanceType> types =
        visit.list(LocalRequest.of("listInstanceTypes"), InstanceType.class);
    return types.records().stream()
        .map(type ->
            new ServerPage.Type(
                type.name(),
                memory(type.memoryMb()),
                BigDecimal.valueOf(type.cpus()).stripTrailingZeros().toPlainString(),
                type.equals(types.records().getFirst())))
        .toList();
  }

  private static String memory(int mebibytes) {
    return mebibytes % 1024 == 0
        ? "%d GiB".formatted(mebibytes / 1024)
        : "%d MiB".formatted(mebibytes);
  }

  private List<ServerPage.Tier> tiers(String own) {
    return facts.tiers().entrySet().stream()
        .map(it ->
            new ServerPage.Tier(
                it.getKey(),
                it.getValue().requestsPerMinute(),
                it.getValue().concurrentMigrations(),
                it.getKey().equals(own)))
        .sorted(
            Comparator.comparingInt(ServerPage.Tier::requests).thenComparing(ServerPage.Tier::name))
        .toList();
  }
}
