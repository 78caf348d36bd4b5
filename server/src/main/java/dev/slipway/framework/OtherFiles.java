package dev.slipway.framework;

import dev.slipway.source.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Says what an application is that is neither for Node nor in Python. */
final class OtherFiles {
  private static final String NOT_HERE =
      "Builds and programs have Node and Python here, and no other language. If a part of the repository is for one of them, set root_directory to where it lies.";

  /**
   * A file that tells what a directory is.
   *
   * @param pattern of its name, as {@link Files#newDirectoryStream(Path, String)} has them
   */
  private record Sign(String pattern, String found, String advice) {
    static Sign of(String pattern, String language) {
      return new Sign(pattern, "this is an application in " + language, NOT_HERE);
    }
  }

  // The first that is found wins: a page and a Dockerfile lie beside much else.
  private static final List<Sign> ALL =
      List.of(
          Sign.of("go.mod", "Go"),
          Sign.of("Cargo.toml", "Rust"),
          Sign.of("Gemfile", "Ruby"),
          Sign.of("{composer.json,index.php}", "PHP"),
          Sign.of("{pom.xml,build.gradle,build.gradle.kts}", "Java"),
          Sign.of("*.{csproj,fsproj,sln}", ".NET"),
          Sign.of("mix.exs", "Elixir"),
          new Sign(
              "deno.{json,jsonc}",
              "this is an application for Deno",
              "There is no Deno here. Where it runs on Node too, add a package.json with a start script, and set framework to node-express."),
          new Sign(
              "wrangler.{toml,json,jsonc}",
              "this is a worker for the runtime of Cloudflare",
              "There is no such runtime here. Where it runs on Node too, add a package.json with a start script, and set framework to node-express."),
          new Sign(
              "{Dockerfile,*.dockerfile}",
              "there is a Dockerfile, and Dockerfiles are not followed",
              "An application for Node needs its package.json here, and one in Python its requirements.txt or pyproject.toml; what the Dockerfile runs can be said by build_command and start_command, as in a slipway.yaml."),
          new Sign(
              "index.html",
              "there is an index.html and nothing that builds it",
              "The files can be served as they are: set framework to react-vite and output_directory to the directory that they are in, for example \".\"."));

  private OtherFiles() {}

  static Optional<OtherKind> of(Checkout checkout, String directory) {
    Path there = checkout.root().resolve(directory);
    return ALL.stream()
        .filter(sign -> has(there, sign.pattern()))
        .map(sign -> new OtherKind(sign.found() + named(there, sign), sign.advice()))
        .findFirst();
  }

  private static boolean has(Path directory, String pattern) {
    return name(directory, pattern).isPresent();
  }

  /** The name of the file, where the sentence does not have it already. */
  private static String named(Path directory, Sign sign) {
    return name(directory, sign.pattern())
        .filter(name -> !sign.found().contains(name))
        .map(" (%s)"::formatted)
        .orElse("");
  }

  private static Optional<String> name(Path directory, String pattern) {
    if (!Files.isDirectory(directory)) {
      return Optional.empty();
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, pattern)) {
      for (Path file : files) {
        if (Files.isRegularFile(file)) {
          return Optional.of(file.getFileName().toString());
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("reading the checkout failed", e);
    }
  }
}
