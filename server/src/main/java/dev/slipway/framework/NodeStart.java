package dev.slipway.framework;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.source.Checkout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How a Node application is started: the program itself where a script is a plain command, as a
 * parent npm takes 70 MB and swallows SIGTERM.
 *
 * @param env what the script sets for the program
 * @param needsDevelopment whether what it runs is among the devDependencies
 */
record NodeStart(
    List<String> argv, Map<String, String> env, boolean needsDevelopment, List<Finding> findings) {
  private static final List<String> THROUGH_NPM = List.of("npm", "run", "start", "--silent");
  private static final List<String> USUAL_FILES =
      List.of("server.js", "app.js", "index.js", "bin/www");
  private static final Set<String> DEVELOPMENT_SERVERS =
      Set.of("nodemon", "ts-node-dev", "tsnd", "node-dev", "supervisor");

  static NodeStart of(Checkout checkout, PackageJson manifest) {
    Optional<String> script = manifest.script("start");
    if (script.isPresent()) {
      return ofScript(script.get(), checkout, manifest);
    }
    Optional<NodeStart> procfile = checkout.text("Procfile").flatMap(NodeStart::ofProcfile);
    return procfile.orElseGet(() -> ofFile(checkout, manifest));
  }

  private static NodeStart ofScript(String line, Checkout checkout, PackageJson manifest) {
    // npm runs these around the script; only npm does that right.
    boolean hooked =
        manifest.script("prestart").isPresent() || manifest.script("poststart").isPresent();
    Optional<StartScript> plain = hooked ? Optional.empty() : StartScript.parse(line);
    Optional<NodeStart> direct = plain.flatMap(parsed -> direct(parsed, checkout, manifest));
    return direct.orElseGet(() ->
        new NodeStart(
            THROUGH_NPM,
            Map.of(),
            firstTool(line, manifest),
            findings(line, "The start script \"%s\" is run by npm.".formatted(line))));
  }

  /** Whether a line that only a shell understands runs something of the devDependencies. */
  private static boolean firstTool(String line, PackageJson manifest) {
    return Stream.of(line.split("[^A-Za-z0-9@/_.-]+", -1))
        .anyMatch(word -> isDevelopmentOnly(word, manifest));
  }

  private static boolean isDevelopmentOnly(String tool, PackageJson manifest) {
    return manifest.needsForDevelopment(tool) && !manifest.dependsOn(tool);
  }

  private static Optional<NodeStart> direct(
      StartScript script, Checkout checkout, PackageJson manifest) {
    String program = script.argv().getFirst();
    List<String> arguments = script.argv().subList(1, script.argv().size());
    if (program.equals("node")) {
      return Optional.of(direct(script, script.argv(), false));
    }
    if (manifest.dependsOn(program) || manifest.needsForDevelopment(program)) {
      return Optional.of(
          direct(
              script,
              joined(List.of("node_modules/.bin/" + program), arguments),
              isDevelopmentOnly(program, manifest)));
    }
    String file = program.replaceFirst("^\\./", "");
    if (program.contains("/") && isNodeScript(file, checkout)) {
      return Optional.of(direct(script, joined(List.of("node", file), arguments), false));
    }
    return Optional.empty();
  }

  private static NodeStart direct(StartScript script, List<String> argv, boolean needsDevelopment) {
    String line = String.join(" ", script.argv());
    return new NodeStart(
        argv,
        script.env(),
        needsDevelopment,
        findings(script.argv().getFirst(), "The start script runs \"%s\".".formatted(line)));
  }

  private static Optional<NodeStart> ofProcfile(String text) {
    return text.lines()
        .filter(line -> line.startsWith("web:"))
        .findFirst()
        .flatMap(line -> StartScript.parse(line.substring("web:".length()).strip()))
        .filter(script -> script.argv().getFirst().equals("node"))
        .map(script ->
            new NodeStart(
                script.argv(),
                script.env(),
                false,
                List.of(
                    new Finding(
                        false,
                        "The Procfile runs \"%s\".".formatted(String.join(" ", script.argv()))))));
  }

  private static NodeStart ofFile(Checkout checkout, PackageJson manifest) {
    List<Finding> findings = new ArrayList<>();
    Optional<String> main = manifest.main().map(file -> file.replaceFirst("^\\./", ""));
    boolean built = manifest.script("build").isPresent();
    Optional<String> entry =
        main.flatMap(file -> Stream.of(file, file + ".js").filter(checkout::hasFile).findFirst());
    if (entry.isEmpty() && main.isPresent() && built) {
      entry = main; // the build is to make it
    }
    if (entry.isEmpty()) {
      main.ifPresent(file ->
          findings.add(
              new Finding(
                  true, "package.json names %s as main, which does not exist.".formatted(file))));
      entry = USUAL_FILES.stream().filter(checkout::hasFile).findFirst();
    }
    String file = entry.orElseThrow(() -> missing(main));
    findings.add(
        new Finding(
            false,
            "There is no start script; node %s is run. Add one to be sure.".formatted(file)));
    return new NodeStart(List.of("node", file), Map.of(), false, findings);
  }

  private static AppFailure missing(Optional<String> main) {
    return new AppFailure(
        FailureCode.START_COMMAND_MISSING,
        "How to start the application is not known: package.json has no start script%s, and there is no %s. Add \"start\" to the scripts of package.json, for example \"node server.js\"."
            .formatted(
                main.map(file -> ", its main " + file + " does not exist").orElse(" and no main"),
                String.join(", ", USUAL_FILES)));
  }

  private static boolean isNodeScript(String file, Checkout checkout) {
    return checkout
        .text(file)
        .flatMap(text -> text.lines().findFirst())
        .filter(line -> file.endsWith(".js") || (line.startsWith("#!") && line.contains("node")))
        .isPresent();
  }

  private static List<Finding> findings(String line, String decided) {
    List<Finding> findings = new ArrayList<>();
    findings.add(new Finding(false, decided));
    Stream.of(line.split("\\s+", -1))
        .filter(DEVELOPMENT_SERVERS::contains)
        .findFirst()
        .ifPresent(server ->
            findings.add(
                new Finding(
                    true,
                    "The start script runs %s, which is for development. Use node instead."
                        .formatted(server))));
    return findings;
  }

  private static List<String> joined(List<String> first, List<String> rest) {
    return Stream.concat(first.stream(), rest.stream()).toList();
  }
}
