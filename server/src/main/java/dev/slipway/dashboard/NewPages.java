package dev.slipway.dashboard;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.slipway.api.LocalRequest;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.migration.SourceBranches;
import dev.slipway.source.RepoName;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A new project: where its code is, what would be done with it, and its migration. */
final class NewPages implements Pages {
  private static final String DETECT = "Detect";

  private final List<Option> hosts;
  private final SourceBranches branches;
  private final List<String> frameworks;
  private final int maxInstances;

  NewPages(
      List<ServerFacts.GitHost> hosts,
      SourceBranches branches,
      List<String> frameworks,
      int maxInstances) {
    this.hosts = hosts.stream().map(NewPages::option).toList();
    this.branches = branches;
    this.frameworks = List.copyOf(frameworks);
    this.maxInstances = maxInstances;
  }

  @Override
  public void mount(Site site) {
    site.get("/new", Need.CHANGE, visit -> sourcePage(SourceFields.of(visit)));
    site.get("/new/branches", Need.CHANGE, this::branchField);
    site.post("/new/plan", Need.CHANGE, this::plan, this::sourceAgain);
    site.post("/migrations", Need.CHANGE, this::migrate, this::settingsAgain);
    site.operation("/uploads", "createUpload", Need.CHANGE);
  }

  /** What {@code createMigration} answers. */
  record Created(String id) {}

  record Region(String name, @JsonProperty("default") boolean isDefault) {}

  record InstanceType(String name, int memoryMb, double cpus) {}

  private Reply sourceAgain(Visit visit) {
    return sourcePage(SourceFields.of(visit.form()));
  }

  private Reply sourcePage(SourceFields source) {
    return Reply.page(
        "create/source.jte",
        "New project",
        Section.PROJECTS,
        new NewPage(hosts, source, BranchField.written(source.branch())));
  }

  private Reply branchField(Visit visit) {
    SourceFields source = SourceFields.of(visit);
    return new Reply.Fragment("create/branch.jte", branchField(visit, source));
  }

  private BranchField branchField(Visit visit, SourceFields source) {
    try {
      return BranchField.of(names(visit, source), source.branch());
    } catch (RequestException e) {
      return BranchField.unknown(source.branch(), String.valueOf(e.getMessage()));
    }
  }

  private List<String> names(Visit visit, SourceFields source) {
    if (!RepoName.isValid(source.repo())) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST, "Write the repository as owner/name, such as acme/shop.");
    }
    try {
      return branches.of(visit.who().account().id(), source.host(), new RepoName(source.repo()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RequestException(
          ErrorCode.UNAVAILABLE, "The server is being stopped; try again in a moment.");
    }
  }

  /** Looks at the code; that there is no plan is shown where it can be set right. */
  private Reply plan(Visit visit) {
    MigrationForm wish = new MigrationForm(visit.form());
    if (visit.form().text("step").equals("source")) {
      requireThere(visit, SourceFields.of(visit.form()));
    }
    try {
      Plan plan =
          visit.ask(
              LocalRequest.of("createMigration").query("dry_run", "true").body(wish.dryRun()),
              Plan.class);
      return planPage(visit, Optional.of(plan), Optional.empty());
    } catch (RequestException e) {
      return planPage(visit, Optional.empty(), Optional.of(String.valueOf(e.getMessage())));
    }
  }

  /** What is wrong with the place itself is said where that is chosen. */
  private void requireThere(Visit visit, SourceFields source) {
    if (source.isZip()) {
      new MigrationForm(visit.form()).dryRun();
      return;
    }
    if (!source.branch().isEmpty() && !mayHave(visit, source)) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST,
          "The repository %s has no branch %s. Choose another one, or push it."
              .formatted(source.repo(), source.branch()));
    }
  }

  /** Where all names of a large repository take too long, looking at the code finds out. */
  private boolean mayHave(Visit visit, SourceFields source) {
    try {
      return names(visit, source).contains(source.branch());
    } catch (RequestException e) {
      if (e.code() == ErrorCode.UNAVAILABLE) {
        return true;
      }
      throw e;
    }
  }

  private Reply migrate(Visit visit) {
    Created created =
        visit.ask(
            LocalRequest.of("createMigration").body(new MigrationForm(visit.form()).migration()),
            Created.class);
    return new Reply.Elsewhere(Site.BASE + "/migrations/" + created.id());
  }

  private Reply settingsAgain(Visit visit) {
    return planPage(visit, Optional.empty(), Optional.empty());
  }

  private Reply planPage(Visit visit, Optional<Plan> plan, Optional<String> refusal) {
    return Reply.page(
        "create/plan.jte",
        "New project: plan",
        Section.PROJECTS,
        new PlanPage(
            SourceFields.of(visit.form()),
            plan,
            refusal,
            choices(visit),
            visit.form(),
            VariableFields.of(visit.form())));
  }

  private PlanPage.Choices choices(Visit visit) {
    List<Region> regions = visit.list(LocalRequest.of("listRegions"), Region.class).records();
    List<InstanceType> types =
        visit.list(LocalRequest.of("listInstanceTypes"), InstanceType.class).records();
    return new PlanPage.Choices(
        Stream.concat(
                Stream.of(new Option("", DETECT)),
                frameworks.stream().map(it -> new Option(it, Shown.framework(it))))
            .toList(),
        regions.stream().map(it -> new Option(it.name(), it.name())).toList(),
        regions.stream().filter(Region::isDefault).findFirst().map(Region::name).orElse(""),
        types.stream().map(NewPages::option).toList(),
        maxInstances);
  }

  /** By its address too, unless it is a folder of this machine. */
  private static Option option(ServerFacts.GitHost host) {
    return new Option(
        host.kind(),
        Optional.ofNullable(host.address().getHost())
            .filter(it -> !it.isEmpty())
            .map(it -> "%s (%s)".formatted(host.kind(), it))
            .orElse(host.kind()));
  }

  private static Option option(InstanceType type) {
    return new Option(
        type.name(),
        "%s: %s MB, %s CPU"
            .formatted(type.name(), Shown.number(type.memoryMb()), processors(type.cpus())));
  }

  private static String processors(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }
}
