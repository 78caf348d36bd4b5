package dev.slipway.framework.hosts;

import dev.slipway.framework.CommandLine;
import dev.slipway.framework.Overrides;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a file can say about an application; as the API's fields. */
enum Setting {
  FRAMEWORK,
  ROOT_DIRECTORY,
  INSTALL_COMMAND,
  BUILD_COMMAND,
  START_COMMAND,
  OUTPUT_DIRECTORY,
  HEALTH_CHECK_PATH;

  private static final List<String> FRAMEWORKS =
      List.of("react-vite", "nextjs", "node-express", "python-fastapi");

  /** For a sentence, for example {@code start command}. */
  String title() {
    return key().replace('_', ' ');
  }

  /** For example {@code start_command}. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  static List<String> keys() {
    return Arrays.stream(values()).map(Setting::key).toList();
  }

  Optional<String> in(Overrides overrides) {
    return switch (this) {
      case FRAMEWORK -> overrides.framework();
      case ROOT_DIRECTORY -> overrides.rootDirectory();
      case INSTALL_COMMAND -> overrides.installCommand();
      case BUILD_COMMAND -> overrides.buildCommand();
      case START_COMMAND -> overrides.startCommand();
      case OUTPUT_DIRECTORY -> overrides.outputDirectory();
      case HEALTH_CHECK_PATH -> overrides.healthCheckPath();
    };
  }

  /** A sentence that says why the value cannot be used. */
  Optional<String> fault(String value) {
    return switch (this) {
      case FRAMEWORK -> framework(value);
      case ROOT_DIRECTORY, OUTPUT_DIRECTORY -> directory(value);
      case INSTALL_COMMAND, BUILD_COMMAND, START_COMMAND -> CommandLine.fault(value);
      case HEALTH_CHECK_PATH -> path(value);
    };
  }

  private static Optional<String> framework(String name) {
    return FRAMEWORKS.contains(name)
        ? Optional.empty()
        : Optional.of("Known frameworks are %s.".formatted(String.join(", ", FRAMEWORKS)));
  }

  private static Optional<String> directory(String path) {
    return Directories.isInside(path)
        ? Optional.empty()
        : Optional.of("It must be a directory of the repository, such as apps/web.");
  }

  // As the API has it.
  private static Optional<String> path(String path) {
    return path.length() <= 256 && path.matches("/[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*+")
        ? Optional.empty()
        : Optional.of("It must be a path such as /healthz.");
  }
}
