package dev.slipway.build;

import dev.slipway.framework.BuildPlan;
import dev.slipway.release.BuildKey;
import dev.slipway.tool.OperatorSettings;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  /** Another version of this program may plan another build. */
  private static final String PROGRAM = program();

  static BuildKeys of(BuildRequest request, String sha, OperatorSettings operator) {
    String source = new Digest().add(PROGRAM).add(sha).add(request.overrides().toString()).hex();
    Map<String, String> env = request.env().values();
    String all =
        new Digest().add("all").add(operator.env()).add(env).add(request.managed().version()).hex();
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
        !plan.steps().isEmpty()
            || plan.install().stream().anyMatch(install -> !install.again().isEmpty());
    return programsRan ? ofEveryBuild : ofInstalls;
  }

  List<BuildKey> all() {
    return List.of(ofEveryBuild, ofInstalls);
  }

  private static String program() {
    try {
      Path code =
          Path.of(BuildKeys.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return Files.size(code) + " " + Files.getLastModifiedTime(code);
    } catch (IOException | URISyntaxException e) {
      throw new IllegalStateException("the program cannot be found on the disk", e);
    }
  }
}
