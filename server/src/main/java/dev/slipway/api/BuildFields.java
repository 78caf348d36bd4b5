package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.framework.CommandLine;
import dev.slipway.framework.Overrides;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The fields of a request that say how an application is built and started; the contract has
 * checked what each of them looks like.
 */
final class BuildFields {
  /** How the API writes the directory that others are relative to. */
  private static final String HERE = ".";

  private static final List<String> COMMANDS =
      List.of("install_command", "build_command", "start_command");

  private BuildFields() {}

  static Overrides of(Call call) {
    return merged(call, Overrides.NONE);
  }

  /** What becomes of earlier decisions: those that the request names are replaced, null forgets. */
  static Overrides merged(Call call, Overrides earlier) {
    JsonNode body = call.body().orElseThrow();
    return new Overrides(
        field(body, "framework", earlier.framework(), UnaryOperator.identity()),
        field(body, "root_directory", earlier.rootDirectory(), BuildFields::directory),
        field(body, "install_command", earlier.installCommand(), String::strip),
        field(body, "build_command", earlier.buildCommand(), String::strip),
        field(body, "start_command", earlier.startCommand(), String::strip),
        field(body, "output_directory", earlier.outputDirectory(), BuildFields::directory),
        field(body, "health_check_path", earlier.healthCheckPath(), UnaryOperator.identity()));
  }

  /**
   * What a schema cannot say.
   *
   * @param frameworks that this server builds
   */
  static void check(Call call, List<String> frameworks, Faults faults) {
    call.text("framework").ifPresent(it -> faults.requireOneOf("framework", it, frameworks));
    for (String command : COMMANDS) {
      call.text(command).flatMap(CommandLine::fault).ifPresent(it -> faults.add(command, it));
    }
  }

  /** A directory of {@link Overrides}, as the API writes it. */
  static String shown(String directory) {
    return directory.isEmpty() ? HERE : directory;
  }

  private static Optional<String> field(
      JsonNode body, String name, Optional<String> earlier, UnaryOperator<String> normal) {
    return body.has(name) ? Optional.ofNullable(body.get(name).textValue()).map(normal) : earlier;
  }

  /** Without what changes nothing: {@code ./apps//web/} is {@code apps/web}. */
  private static String directory(String written) {
    return Arrays.stream(written.split("/"))
        .filter(name -> !name.isEmpty() && !name.equals(HERE))
        .collect(Collectors.joining("/"));
  }
}
