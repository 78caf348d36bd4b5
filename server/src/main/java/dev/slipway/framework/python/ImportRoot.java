package dev.slipway.framework.python;

import dev.slipway.source.Checkout;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Finds out where a module is imported from, by what it imports itself: {@code app/main.py} that
 * says {@code from app.db import x} is {@code app.main}, one that says {@code import db} is {@code
 * main} in {@code app}.
 */
record ImportRoot(Checkout checkout, String directory, String file, PythonModule module) {
  PythonApp app(String name, boolean factory) {
    String root = best(roots(), packageRoot(), this::resolved);
    boolean source = root.equals("src") || root.endsWith("/src");
    String usual = source && !root.equals(directory) ? Paths.above(root) : root;
    return new PythonApp(file, name, factory, root, best(above(), usual, this::named));
  }

  /** Directories from the module's own up to the application's. */
  private List<String> above() {
    List<String> all = new ArrayList<>();
    String at = Paths.above(file);
    all.add(at);
    while (!at.equals(directory)) {
      at = Paths.above(at);
      all.add(at);
    }
    return all;
  }

  private List<String> roots() {
    List<String> above = above();
    int packages = Math.min(module.depth(), above.size() - 1);
    return above.subList(packages, above.size());
  }

  /** The first directory upwards that is no package itself. */
  private String packageRoot() {
    List<String> roots = roots();
    for (String root : roots) {
      if (!checkout.hasFile(Paths.join(root, "__init__.py"))) {
        return root;
      }
    }
    return roots.getLast();
  }

  private static String best(List<String> all, String usual, ToLongFunction<String> score) {
    String best = usual;
    for (String one : all) {
      if (score.applyAsLong(one) > score.applyAsLong(best)) {
        best = one;
      }
    }
    return best;
  }

  /** How many of the imports there would be found. */
  private long resolved(String root) {
    return module.imports().stream()
        .map(name -> Paths.join(root, name.split("\\.", -1)[0]))
        .filter(path -> checkout.hasFile(path + ".py") || isDirectory(path))
        .count();
  }

  /** How many of the strings name what is there, as the directory of a template does. */
  private long named(String root) {
    return module.strings().stream()
        .filter(text -> text.matches("[A-Za-z0-9_.-]{1,40}(?:/[A-Za-z0-9_.-]{1,40}){0,3}/?"))
        .filter(text -> text.matches(".*[A-Za-z0-9].*"))
        .distinct()
        .filter(
            text -> checkout.hasFile(Paths.join(root, text)) || isDirectory(Paths.join(root, text)))
        .count();
  }

  private boolean isDirectory(String path) {
    Path at = checkout.root().resolve(path).normalize();
    return at.startsWith(checkout.root()) && Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS);
  }
}
