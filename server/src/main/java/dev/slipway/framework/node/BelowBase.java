package dev.slipway.framework.node;

import dev.slipway.core.FailureCode;
import dev.slipway.core.Serving.Site;
import dev.slipway.core.Words;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.BuildPlan.Step;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A site whose addresses all begin with a path: what was built is moved below that path, as its
 * pages ask for scripts and pictures there.
 *
 * @param output what the build writes, relative to the application's directory
 * @param base without slashes around it
 * @param page what answers where a page is unknown, relative to the output
 * @param setting what says so, in words
 */
record BelowBase(Place app, String output, String base, Optional<String> page, String setting) {
  private static final String SITE = ".site";

  List<Step> steps() {
    String to = SITE + "/" + base;
    String parent = to.substring(0, to.lastIndexOf('/'));
    return List.of(
        step("make-room", "mkdir", "-p", "./" + parent),
        step("move-below-base", "mv", "-T", "./" + output, "./" + to));
  }

  Site site() {
    return Sites.site(app, SITE, page.map(name -> base + "/" + name));
  }

  Finding finding() {
    return new Finding(
        true,
        "%s is /%s, so the application's files answer below that path. Remove it to have them at the root of the host."
            .formatted(setting, base));
  }

  private Step step(String name, String... argv) {
    return new Step(
        name,
        app.directory(),
        Stream.of(argv).map(Words::literal).toList(),
        Map.of(),
        FailureCode.BUILD_FAILED,
        Optional.empty());
  }
}
