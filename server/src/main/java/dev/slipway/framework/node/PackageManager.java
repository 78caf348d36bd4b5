package dev.slipway.framework.node;

import dev.slipway.core.Words;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What installs the packages of an application.
 *
 * @param range of its versions, as npm writes ranges
 * @param checkedIn the program itself, where it is a file of the repository
 * @param lockfile its lockfile beside the root's package.json
 */
record PackageManager(
    Manager kind,
    String range,
    Optional<String> checkedIn,
    Optional<String> lockfile,
    List<Finding> findings) {
  PackageManager {
    findings = List.copyOf(findings);
  }

  /** Empty where the repository brings it along. */
  Optional<Tool> tool() {
    return checkedIn.isPresent() ? Optional.empty() : Optional.of(new Tool(kind.program(), range));
  }

  /** It with these words, to be run in a directory of the checkout. */
  List<String> command(Place in, List<String> words) {
    List<String> argv = new ArrayList<>();
    checkedIn.ifPresentOrElse(
        file -> argv.addAll(List.of("node", Words.literal(in.relative(file)))),
        () -> argv.add(kind.program()));
    argv.addAll(words);
    return argv;
  }

  List<String> run(Place in, String script) {
    return command(in, List.of("run", script));
  }

  /** What runs a program that a package brings. */
  List<String> exec(Place in, List<String> words) {
    List<String> all = new ArrayList<>(kind.exec());
    all.addAll(words);
    return command(in, all);
  }
}
