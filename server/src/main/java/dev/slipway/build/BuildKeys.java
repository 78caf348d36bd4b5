package dev.slipway.build;

import dev.slipway.framework.BuildPlan;
import dev.slipway.release.BuildKey;
import dev.slipway.tool.OperatorSettings;
import java.util.List;
import java.util.Map;

/**
 * The keys that a release of these sources may have. Which one is its own only the plan tells,
 * which is made from the files; so an earlier release is looked for under both, before they are
 * fetched.
 *
 * @param ofEveryBuild the user's programs ran and may have read any variable
 * @param ofInstalls nothing ran but package managers
 */
record BuildKeys(BuildKey ofEveryBuild, BuildKey ofInstalls) {
  /** Grows when the same sources would be built into something else. */
  private static final String FORMAT = "1";

  static BuildKeys of(BuildRequest request, String sha, OperatorSettings operator) {
    String source = new Digest().add(FORMAT).add(sha).add(request.overrides().toString()).hex();
    Map<String, String> env = request.env().values();
    String all = new Digest().add("all").add(operator.env()).add(env).hex();
    String installs =
        new Digest()
            .add("installs")
            .add(operator.env())
            .add(InstallVariables.of(env, List.of()))
            .hex();
    return new BuildKeys(new BuildKey(source, all), new BuildKey(source, installs));
  }

  BuildKey of(BuildPlan plan) {
    boolean programsRan =
        !plan.steps().stream().allMatch(Assembly::isPrune)
            || plan.install().stream().anyMatch(install -> !install.again().isEmpty());
    return programsRan ? ofEveryBuild : ofInstalls;
  }

  List<BuildKey> all() {
    return List.of(ofEveryBuild, ofInstalls);
  }
}
