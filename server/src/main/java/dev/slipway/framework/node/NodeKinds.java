package dev.slipway.framework.node;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Tells kinds of Node applications from each other, by their package.json and a few file names. */
final class NodeKinds {
  static final String REACT_ROUTER = "@react-router/dev";

  private static final List<String> NEXT_DIRECTORIES =
      List.of("app", "pages", "src/app", "src/pages");
  private static final Set<String> OTHERS_WITH_VITE =
      Set.of(
          "vue",
          "svelte",
          "astro",
          "solid-js",
          "preact",
          "@angular/core",
          "@remix-run/dev",
          "@sveltejs/kit",
          "@builder.io/qwik",
          "@tanstack/react-start",
          "electron");
  private static final String NEST = "@nestjs/core";

  /** Start scripts that show a site of Vite while it is worked on, or once it is built. */
  private static final Pattern SITE_SCRIPT =
      Pattern.compile(
          "(npx )?(vite|serve|http-server|react-scripts)\\b.*|(npm|yarn|pnpm)( run)? (dev|preview)");

  private static final Set<String> SERVER_FILES =
      Set.of(
          "server.js",
          "server.mjs",
          "server.cjs",
          "server/index.js",
          "app.js",
          "index.js",
          "src/server.js");

  /** What a package has that is made for others to use. */
  private static final List<String> OF_LIBRARIES =
      List.of(
          "bin",
          "exports",
          "files",
          "types",
          "typings",
          "module",
          "publishConfig",
          "peerDependencies");

  private NodeKinds() {}

  static boolean isNext(Place place) {
    return place
        .manifest()
        .filter(manifest -> manifest.has("next"))
        .filter(manifest -> hasPages(place))
        .isPresent();
  }

  private static boolean hasPages(Place place) {
    return place.firstOf(NextConfig.FILES).isPresent()
        || NEXT_DIRECTORIES.stream().anyMatch(place::hasDirectory);
  }

  static boolean isReactVite(Place place) {
    return place
        .manifest()
        .filter(
            manifest -> !isNext(place) && (isFrameworkMode(manifest) || isSite(place, manifest)))
        .isPresent();
  }

  private static boolean isFrameworkMode(PackageJson manifest) {
    return manifest.has(REACT_ROUTER);
  }

  private static boolean isSite(Place place, PackageJson manifest) {
    return isViteSite(place, manifest) && !startsServer(place, manifest);
  }

  private static boolean isViteSite(Place place, PackageJson manifest) {
    ViteConfig config = ViteConfig.of(place, "");
    String page = config.root().isEmpty() ? "index.html" : config.root() + "/index.html";
    return manifest.has("vite")
        && manifest.has("react")
        && OTHERS_WITH_VITE.stream().noneMatch(manifest::has)
        && place.hasFile(page);
  }

  /** Whether a site comes with a server of its own, which then serves it too. */
  private static boolean startsServer(Place place, PackageJson manifest) {
    if (!manifest.dependsOn("express")) {
      return false;
    }
    return manifest
        .script("start")
        .map(line -> !SITE_SCRIPT.matcher(line).matches())
        .orElseGet(() -> SERVER_FILES.stream().anyMatch(file -> EntryFile.listens(place, file)));
  }

  static boolean isExpress(Place place) {
    return place
        .manifest()
        .filter(manifest -> manifest.dependsOn("express") && !manifest.dependsOn(NEST))
        .filter(manifest -> !isNext(place) && !isReactVite(place) && !isLibrary(place, manifest))
        .filter(manifest -> !isIntegrated(place, manifest))
        .isPresent();
  }

  /** Whether it is the one package.json of many applications, as Nx has it. */
  static boolean isIntegrated(Place place, PackageJson manifest) {
    return place.hasFile("nx.json")
        && manifest.script("start").filter(line -> !line.startsWith("nx ")).isEmpty();
  }

  /** Whether it depends on Express and yet starts no server: it is there for others. */
  static boolean isLibrary(Place place, PackageJson manifest) {
    boolean startable =
        manifest.script("start").isPresent()
            || manifest.script("start:prod").isPresent()
            || place.hasFile("Procfile");
    if (startable || OF_LIBRARIES.stream().noneMatch(manifest::says)) {
      return false;
    }
    Optional<String> main = manifest.text("main").or(() -> Optional.of("index.js"));
    return main.filter(file -> EntryFile.listens(place, file)).isEmpty()
        && SERVER_FILES.stream().noneMatch(file -> EntryFile.listens(place, file));
  }
}
