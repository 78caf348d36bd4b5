package dev.slipway.framework.node;

import dev.slipway.framework.OtherKind;
import dev.slipway.source.Checkout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says what a Node application is that no framework here recognises, and what can be done. */
public final class OtherKinds {
  private static final String AS_SITE =
      "The files that it builds can be served all the same: set framework to react-vite and output_directory to the directory that the build writes.";
  private static final String AS_SERVER =
      "It can be run all the same: set framework to node-express, and start_command where package.json has no start script.";
  private static final String NOT_AT_ALL = "That is no web application that can be hosted here.";

  /** What is said of a package.json that says nothing. */
  public static final OtherKind UNKNOWN =
      new OtherKind(
          "package.json asks for none of next, vite with react, and express",
          "If it is a server, set framework to node-express and start_command; if it builds a site, set framework to react-vite and output_directory.");

  private static final OtherKind NX =
      new OtherKind(
          "this is a workspace of Nx, whose applications have no package.json of their own",
          "Set framework and build_command (npx nx build <application>), and output_directory or start_command to what it writes below dist.");

  private static final OtherKind WORKER =
      new OtherKind(
          "package.json has wrangler and no server for Node: this is a worker for the runtime of Cloudflare",
          "There is no such runtime here. Where it runs on Node too (Hono does, with @hono/node-server), add that and set framework to node-express and start_command.");

  /** What makes a program of it that Node runs, or a site. */
  private static final List<String> NO_WORKERS =
      List.of(
          "@hono/node-server",
          "express",
          "fastify",
          "koa",
          "next",
          "nuxt",
          "astro",
          "vite",
          "react-scripts",
          "@remix-run/dev",
          "@sveltejs/kit",
          "@angular/core",
          "gatsby");

  private static final String BUN_SERVER =
      "It can be run all the same, by Bun: set framework to node-express, and start_command, for example to \"bun src/index.ts\". A bun.lock that is committed brings Bun.";

  private static final Map<String, String> ADVICE = new LinkedHashMap<>();

  static {
    List.of("electron", "expo", "react-native").forEach(name -> ADVICE.put(name, NOT_AT_ALL));
    List.of(
            "@nestjs/core",
            "@remix-run/dev",
            "@remix-run/node",
            "@tanstack/react-start",
            "@sveltejs/kit",
            "nuxt",
            "fastify",
            "hono",
            "koa",
            "@hapi/hapi",
            "restify",
            "polka",
            "h3",
            "meteor-node-stubs")
        .forEach(name -> ADVICE.put(name, AS_SERVER));
    ADVICE.put("elysia", BUN_SERVER);
    List.of(
            "astro",
            "gatsby",
            "react-scripts",
            "@angular/core",
            "vitepress",
            "@docusaurus/core",
            "@11ty/eleventy",
            "vue",
            "svelte",
            "solid-js",
            "preact",
            "@builder.io/qwik",
            "vite",
            "parcel",
            "@rsbuild/core",
            "@rspack/core",
            "@rspack/cli",
            "@rslib/core",
            "@vue/cli-service",
            "webpack",
            "esbuild")
        .forEach(name -> ADVICE.put(name, AS_SITE));
  }

  private OtherKinds() {}

  /** Empty where there is no package.json in the checkout's root. */
  public static Optional<OtherKind> of(Checkout checkout) {
    Place place = new Place(checkout, "");
    if (!place.hasFile(PackageJson.FILE)) {
      return Optional.empty();
    }
    return Optional.of(
        place
            .manifest()
            .map(manifest -> place.hasFile("nx.json") ? NX : of(manifest))
            .orElse(
                new OtherKind(
                    "package.json is not valid JSON", "Correct it; npm install names the line.")));
  }

  private static OtherKind of(PackageJson manifest) {
    if (isWorker(manifest)) {
      return WORKER;
    }
    Optional<String> known = ADVICE.keySet().stream().filter(manifest::has).findFirst();
    if (manifest.has("next")) {
      return new OtherKind(
          "package.json asks for next, but there is no directory app or pages",
          "Add pages, or set root_directory to where they are.");
    }
    if (manifest.dependsOn("express") && known.filter("@nestjs/core"::equals).isEmpty()) {
      return new OtherKind(
          "package.json depends on express, but nothing says that a server is started: it looks like a library or a tool",
          "If it is an application, add \"start\" to the scripts of package.json.");
    }
    if (manifest.needsForDevelopment("express") && known.isEmpty()) {
      return new OtherKind(
          "express is among the devDependencies of package.json only",
          "Move it to the dependencies if this is an application.");
    }
    if (known.isPresent()) {
      String verb = manifest.dependsOn(known.get()) ? "depends on" : "is built with";
      return new OtherKind(
          "package.json %s %s, which is none of the frameworks here".formatted(verb, known.get()),
          ADVICE.getOrDefault(known.get(), ""));
    }
    return UNKNOWN;
  }

  private static boolean isWorker(PackageJson manifest) {
    return manifest.has("wrangler") && NO_WORKERS.stream().noneMatch(manifest::has);
  }
}
