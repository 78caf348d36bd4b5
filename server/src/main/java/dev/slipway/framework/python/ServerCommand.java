package dev.slipway.framework.python;

import dev.slipway.framework.BuildPlan.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A command that starts an application, made to fit: it listens where it is asked on, and not as in
 * development.
 *
 * @param words as {@link dev.slipway.core.Words}
 */
record ServerCommand(List<String> words, List<Finding> findings) {
  private static final String PORT = "${PORT}";
  private static final String EVERYWHERE = "0.0.0.0";
  private static final Set<String> RUNNERS =
      Set.of("poetry", "pipenv", "uv", "pdm", "rye", "hatch");
  private static final Set<String> HOST_AND_PORT = Set.of("uvicorn", "fastapi", "granian");
  private static final Set<String> BIND = Set.of("gunicorn", "hypercorn");
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "::1");

  /**
   * @param given as {@link dev.slipway.core.Words}, at least one
   */
  static ServerCommand of(List<String> given) {
    List<Finding> findings = new ArrayList<>();
    List<String> words = new ArrayList<>(withoutRunner(given));
    if (words.getFirst().matches("python3(?:\\.\\d+)?")) {
      words.set(0, "python");
    }
    String program = program(words);
    boolean serves = !program.equals("fastapi") || words.contains("run") || words.contains("dev");
    if (HOST_AND_PORT.contains(program) && serves) {
      withoutReload(words, findings);
      hostAndPort(words, findings);
    } else if (BIND.contains(program)) {
      withoutReload(words, findings);
      bind(words, program, findings);
    }
    return new ServerCommand(words, findings);
  }

  /** The name of the server that it runs, where it runs one: {@code python -m uvicorn} too. */
  static String program(List<String> words) {
    boolean module = words.size() > 2 && words.get(0).equals("python") && words.get(1).equals("-m");
    String first = words.get(module ? 2 : 0);
    return first.substring(first.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
  }

  /** {@code uv run --no-dev x}: the environment is there, and its programs are the first found. */
  private static List<String> withoutRunner(List<String> words) {
    if (words.size() < 3 || !RUNNERS.contains(words.get(0)) || !words.get(1).equals("run")) {
      return words;
    }
    int at = 2;
    while (at < words.size() - 1 && words.get(at).startsWith("-")) {
      at +=
          List.of("--with", "--extra", "--group", "--python", "-p").contains(words.get(at)) ? 2 : 1;
    }
    return words.subList(Math.min(at, words.size() - 1), words.size());
  }

  private static void withoutReload(List<String> words, List<Finding> findings) {
    boolean development = words.contains("--reload") || words.contains("dev");
    words.remove("--reload");
    int dev = words.indexOf("dev");
    if (dev > 0) {
      words.set(dev, "run");
    }
    if (development) {
      findings.add(
          new Finding(
              true,
              "The start command is one for development; the application is run without reloading."));
    }
  }

  private static void hostAndPort(List<String> words, List<Finding> findings) {
    Optional<String> host = value(words, "--host", "-h");
    if (host.isEmpty()) {
      words.addAll(List.of("--host", EVERYWHERE));
    } else if (LOOPBACK.contains(host.get())) {
      replace(words, host.get(), EVERYWHERE, "--host");
    }
    Optional<String> port = value(words, "--port", "-p");
    if (port.isEmpty()) {
      words.addAll(List.of("--port", PORT));
    } else if (!port.get().contains("$")) {
      replace(words, port.get(), PORT, "--port");
      findings.add(fixedPort(port.get()));
    }
  }

  private static void bind(List<String> words, String program, List<Finding> findings) {
    Optional<String> bind = value(words, "--bind", "-b");
    boolean configured = value(words, "--config", "-c").isPresent();
    if (bind.isEmpty() && (program.equals("hypercorn") || !configured)) {
      words.addAll(List.of("--bind", EVERYWHERE + ":" + PORT));
    } else if (bind.isPresent() && !bind.get().contains("$")) {
      replace(words, bind.get(), EVERYWHERE + ":" + PORT, "--bind");
      findings.add(fixedPort(bind.get()));
    }
  }

  private static Finding fixedPort(String port) {
    return new Finding(
        false,
        "The start command names the port %s; the application gets the one of PORT."
            .formatted(port));
  }

  private static Optional<String> value(List<String> words, String option, String letter) {
    for (int i = 1; i < words.size(); i++) {
      String word = words.get(i);
      if ((word.equals(option) || word.equals(letter)) && i + 1 < words.size()) {
        return Optional.of(words.get(i + 1));
      }
      if (word.startsWith(option + "=")) {
        return Optional.of(word.substring(option.length() + 1));
      }
    }
    return Optional.empty();
  }

  private static void replace(List<String> words, String old, String value, String option) {
    words.replaceAll(word ->
        word.equals(old) ? value : word.equals(option + "=" + old) ? option + "=" + value : word);
  }
}
