package dev.slipway.framework;

import dev.slipway.core.RawPath;
import dev.slipway.source.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Explains why no framework was found in a checkout, and where an application may be instead. */
record Undetected(Checkout checkout) {
  private static final int MAX_CANDIDATES = 5;
  private static final int MAX_DEPTH = 4;
  private static final List<String> OTHERS =
      List.of("next", "fastify", "hono", "koa", "@nestjs/core", "vite", "react-scripts");

  String sentence() {
    return "No framework was recognised: %s. %s".formatted(found(), advice());
  }

  private String found() {
    if (!checkout.hasFile(PackageJson.FILE)) {
      return "there is no package.json at the root";
    }
    Optional<PackageJson> manifest = PackageJson.in(checkout);
    if (manifest.isEmpty()) {
      return "package.json is not valid JSON";
    }
    Optional<String> other = OTHERS.stream().filter(manifest.get()::dependsOn).findFirst();
    if (other.isPresent()) {
      return "package.json depends on %s, and express alone can be built here yet"
          .formatted(other.get());
    }
    if (manifest.get().needsForDevelopment("express")) {
      return "express is among the devDependencies of package.json only. Move it to the dependencies if this is an application";
    }
    return "package.json has no express among its dependencies";
  }

  private String advice() {
    List<String> candidates = candidates();
    return candidates.isEmpty()
        ? "Looked for a package.json that depends on express."
        : "There may be an application in: %s. Set root_directory to the one that you mean."
            .formatted(String.join(", ", candidates));
  }

  /** Directories below the root, not far down, with an application that could be built. */
  private List<String> candidates() {
    Set<String> found = new TreeSet<>();
    try {
      Files.walkFileTree(
          checkout.root(), EnumSet.noneOf(FileVisitOption.class), MAX_DEPTH, visitor(found));
    } catch (IOException e) {
      throw new UncheckedIOException("reading the checkout failed", e);
    }
    return found.stream().limit(MAX_CANDIDATES).toList();
  }

  private SimpleFileVisitor<Path> visitor(Set<String> found) {
    return new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
        String name = directory.getFileName().toString();
        boolean root = directory.equals(checkout.root());
        return !root && (name.equals("node_modules") || name.startsWith("."))
            ? FileVisitResult.SKIP_SUBTREE
            : FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        Path directory = file.resolveSibling("");
        if (file.endsWith(PackageJson.FILE)
            && PackageJson.in(new Checkout(directory, checkout.commit()))
                .filter(NodeExpress::isExpress)
                .isPresent()) {
          found.add(RawPath.encode(checkout.root().relativize(directory)));
        }
        return FileVisitResult.CONTINUE;
      }
    };
  }
}
