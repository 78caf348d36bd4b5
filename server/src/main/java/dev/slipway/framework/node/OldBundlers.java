package dev.slipway.framework.node;

import dev.slipway.framework.BuildPlan;
import dev.slipway.framework.BuildPlan.Step;
import dev.slipway.source.Checkout;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Chooses the Node of applications that nobody has moved to a newer one, and who did not say. */
public final class OldBundlers {
  private static final String OPTIONS = "NODE_OPTIONS";

  /** Whoever knows this option has a newer Node, and an older one refuses to start with it. */
  private static final String CURE = "--openssl-legacy-provider";

  private OldBundlers() {}

  /**
   * The plan with Node 16, where what builds the application needs that and nothing speaks against
   * it; else the plan as it is.
   *
   * @param variables names of those that are set
   */
  public static BuildPlan suited(BuildPlan plan, Checkout checkout, Set<String> variables) {
    Place place = new Place(checkout, plan.rootDirectory());
    Optional<PackageJson> manifest = place.manifest();
    if (manifest.isEmpty() || plan.steps().isEmpty() || variables.contains(OPTIONS)) {
      return plan;
    }
    Place root = Workspace.around(place).map(Workspace::root).orElse(place);
    return isCured(plan, manifest.get(), place, root)
        ? plan
        : OldBundler.of(manifest.get(), lockfile(root)).map(old -> old.suited(plan)).orElse(plan);
  }

  private static boolean isCured(BuildPlan plan, PackageJson manifest, Place place, Place root) {
    return Stream.of(
            manifest.at("scripts").properties().stream().map(it -> it.getValue().asText("")),
            plan.steps().stream().map(Step::argv).flatMap(argv -> argv.stream()),
            plan.steps().stream().flatMap(step -> step.env().values().stream()),
            Stream.of(place, root).flatMap(it -> it.text(".npmrc").stream()))
        .flatMap(texts -> texts)
        .anyMatch(text -> text.contains(CURE));
  }

  private static Locked lockfile(Place root) {
    return new Locked(
        Manager.NAMED.stream()
            .flatMap(kind -> root.firstOf(kind.lockfiles()).stream())
            .findFirst()
            .flatMap(root::text)
            .orElse(""));
  }
}
