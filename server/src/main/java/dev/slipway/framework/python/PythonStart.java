package dev.slipway.framework.python;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Words;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.CommandLine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What is run, and where.
 *
 * @param directory from the repository's root
 * @param servers names of the programs that are run, as packages have them
 */
record PythonStart(
    String directory,
    List<List<String>> commands,
    Map<String, String> env,
    List<String> servers,
    List<Finding> findings) {

  /** What the user or a file says. */
  static PythonStart of(String line, String directory) {
    CommandLine parsed =
        CommandLine.parse(line)
            .orElseThrow(() ->
                new AppFailure(
                    FailureCode.START_COMMAND_MISSING,
                    "The start command \"%s\" cannot be run. %s"
                        .formatted(line, CommandLine.fault(line).orElse(""))));
    Path at = Path.of("/" + directory, parsed.last().directory()).normalize();
    Path asked = Path.of(directory).resolve(parsed.last().directory()).normalize();
    if (asked.startsWith("..")) {
      throw new AppFailure(
          FailureCode.START_COMMAND_MISSING,
          "The start command \"%s\" leaves the repository.".formatted(line));
    }
    List<Finding> findings = new ArrayList<>();
    List<List<String>> commands = new ArrayList<>();
    List<String> servers = new ArrayList<>();
    for (List<String> words : parsed.words()) {
      ServerCommand command = ServerCommand.of(words);
      commands.add(command.words());
      servers.add(ServerCommand.program(command.words()));
      findings.addAll(command.findings());
    }
    return new PythonStart(at.toString().substring(1), commands, parsed.env(), servers, findings);
  }

  /** What was found in the source. */
  static PythonStart of(PythonApps apps, String directory) {
    if (apps.best().isEmpty()) {
      throw new AppFailure(
          FailureCode.START_COMMAND_MISSING,
          "FastAPI is among the dependencies, but no module %shas an application such as app = FastAPI(). Set start_command, for example to \"uvicorn app.main:app\"."
              .formatted(directory.isEmpty() ? "" : "in " + directory + " "));
    }
    if (apps.best().size() > 1) {
      throw new AppFailure(
          FailureCode.START_COMMAND_MISSING,
          "There are several applications, and which one is meant is not known: %s. Set start_command, for example to \"uvicorn %s\", or root_directory."
              .formatted(list(apps.best()), apps.best().getFirst().target()));
    }
    PythonApp app = apps.best().getFirst();
    List<String> command =
        new ArrayList<>(List.of("python", "-m", "uvicorn", Words.literal(app.target())));
    if (app.factory()) {
      command.add("--factory");
    }
    if (!app.importRoot().equals(app.directory())) {
      command.addAll(List.of("--app-dir", Paths.from(app.directory(), app.importRoot())));
    }
    command.addAll(List.of("--host", "0.0.0.0", "--port", "${PORT}"));
    String others =
        apps.others().isEmpty() ? "" : " There are also: %s.".formatted(list(apps.others()));
    return new PythonStart(
        app.directory(),
        List.of(command),
        Map.of(),
        List.of("uvicorn"),
        List.of(
            new Finding(
                false,
                "The application is %s of %s, run by uvicorn as %s.%s"
                    .formatted(app.name(), app.file(), app.target(), others))));
  }

  /** With what every program in Python gets. */
  Map<String, String> programEnv() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("PYTHONUNBUFFERED", "1"); // what is printed is read as it comes
    all.put("FORWARDED_ALLOW_IPS", "*"); // nothing but the edge reaches it
    all.putAll(env);
    return all;
  }

  private static String list(List<PythonApp> apps) {
    Stream<String> all = apps.stream().map(app -> "%s of %s".formatted(app.name(), app.file()));
    return String.join(", ", all.limit(5).toList());
  }
}
