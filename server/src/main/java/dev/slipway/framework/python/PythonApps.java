package dev.slipway.framework.python;

import dev.slipway.source.Checkout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The applications that the source of a directory holds.
 *
 * @param best those that nothing tells apart; one where it is clear, none where there is none
 * @param others that were found too
 */
record PythonApps(List<PythonApp> best, List<PythonApp> others) {
  private static final List<String> USUAL_FILES =
      List.of("main.py", "app.py", "asgi.py", "server.py", "api.py", "index.py", "__init__.py");
  private static final List<String> USUAL_NAMES = List.of("app", "application", "api");

  /**
   * @param entrypoint what the manifest says, for example {@code app.main:app}
   */
  static PythonApps in(Checkout checkout, String directory, Optional<String> entrypoint) {
    Map<String, PythonModule> modules = modules(checkout, directory);
    Set<String> named = new HashSet<>();
    entrypoint.ifPresent(named::add);
    modules.values().forEach(module -> named.addAll(module.runs()));
    Map<Integer, List<PythonApp>> ranked = new TreeMap<>(Comparator.reverseOrder());
    for (PythonApp app : found(checkout, directory, modules)) {
      ranked.computeIfAbsent(rank(app, directory, named), _ -> new ArrayList<>()).add(app);
    }
    List<PythonApp> best = ranked.isEmpty() ? List.of() : ranked.values().iterator().next();
    List<PythonApp> others = new ArrayList<>();
    ranked.values().stream().skip(1).forEach(others::addAll);
    return new PythonApps(best, others);
  }

  private static Map<String, PythonModule> modules(Checkout checkout, String directory) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String file : PythonFiles.in(checkout, directory)) {
      checkout.text(file).ifPresent(text -> texts.put(file, text));
    }
    Map<String, PythonModule> modules = new LinkedHashMap<>();
    Set<String> factories = new HashSet<>();
    texts.forEach((file, text) -> {
      if (text.contains("FastAPI") || text.contains("uvicorn.run")) {
        PythonModule module = PythonModule.of(text);
        modules.put(file, module);
        factories.addAll(module.factories().keySet());
      }
    });
    texts.forEach((file, text) -> {
      if (!modules.containsKey(file) && factories.stream().anyMatch(text::contains)) {
        modules.put(file, PythonModule.of(text));
      }
    });
    return modules;
  }

  private static List<PythonApp> found(
      Checkout checkout, String directory, Map<String, PythonModule> modules) {
    Set<String> factories = new HashSet<>();
    modules.values().forEach(module -> factories.addAll(module.factories().keySet()));
    List<PythonApp> all = new ArrayList<>();
    modules.forEach((file, module) -> {
      ImportRoot root = new ImportRoot(checkout, directory, file, module);
      module.objects().forEach(name -> all.add(root.app(name, false)));
      module
          .calls()
          .forEach((name, function) -> {
            if (factories.contains(function)) {
              all.add(root.app(name, false));
            }
          });
      module
          .factories()
          .forEach((name, callable) -> {
            if (callable) {
              all.add(root.app(name, true));
            }
          });
    });
    return all;
  }

  private static int rank(PythonApp app, String directory, Set<String> named) {
    String target = app.target();
    boolean hinted = named.stream().anyMatch(it -> target.equals(it) || target.endsWith("." + it));
    String file = app.file().substring(app.file().lastIndexOf('/') + 1);
    String below = directory.isEmpty() ? app.file() : app.file().substring(directory.length() + 1);
    int depth = (int) below.chars().filter(c -> c == '/').count();
    return (hinted ? 1000 : 0)
        + (app.factory() ? 0 : 200)
        + 10 * usual(USUAL_FILES, file)
        - 5 * depth
        + usual(USUAL_NAMES, app.name());
  }

  /** The more usual, the higher; 0 for a name that is not. */
  private static int usual(List<String> names, String name) {
    int index = names.indexOf(name);
    return index < 0 ? 0 : names.size() - index;
  }
}
