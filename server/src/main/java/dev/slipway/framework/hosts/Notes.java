package dev.slipway.framework.hosts;

import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.Overrides;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Gathers what the files say, the first to say it first. */
final class Notes {
  private final Map<Setting, String> values = new EnumMap<>(Setting.class);
  private final List<Finding> findings = new ArrayList<>();

  Notes(Overrides given) {
    for (Setting setting : Setting.values()) {
      setting.in(given).ifPresent(value -> values.put(setting, value));
    }
  }

  /** Takes a value unless there is one, or it cannot be used here, which is said. */
  void take(String file, Setting setting, String value) {
    if (values.containsKey(setting) || value.isBlank()) {
      return;
    }
    Optional<String> fault = setting.fault(value);
    if (fault.isPresent()) {
      warn("The %s of %s is not used: %s".formatted(setting.title(), file, fault.get()));
      return;
    }
    values.put(setting, value);
    say("The %s comes from %s: %s".formatted(setting.title(), file, oneLine(value)));
  }

  /** Takes where a build writes to, but not what only the server of Next.js reads. */
  void takeOutput(String file, String value) {
    String output = Directories.plain(value);
    if (!Outputs.isOfNext(output)) {
      take(file, Setting.OUTPUT_DIRECTORY, output);
    }
  }

  /** Says what of a file has no effect here, if anything. */
  void leave(String file, List<String> keys) {
    if (!keys.isEmpty()) {
      warn("%s has %s, which are not taken over.".formatted(file, String.join(", ", keys)));
    }
  }

  void say(String sentence) {
    findings.add(new Finding(false, sentence));
  }

  void warn(String sentence) {
    findings.add(new Finding(true, sentence));
  }

  Optional<String> value(Setting setting) {
    return Optional.ofNullable(values.get(setting));
  }

  String directory() {
    return Directories.given(value(Setting.ROOT_DIRECTORY));
  }

  Settled settled() {
    return new Settled(
        new Overrides(
            value(Setting.FRAMEWORK),
            value(Setting.ROOT_DIRECTORY),
            value(Setting.INSTALL_COMMAND),
            value(Setting.BUILD_COMMAND),
            value(Setting.START_COMMAND),
            value(Setting.OUTPUT_DIRECTORY),
            value(Setting.HEALTH_CHECK_PATH)),
        findings);
  }

  private static String oneLine(String value) {
    String line = value.strip().replaceAll("\\s*\\R\\s*", " && ");
    return line.length() <= 200 ? line : line.substring(0, 200) + "…";
  }
}
