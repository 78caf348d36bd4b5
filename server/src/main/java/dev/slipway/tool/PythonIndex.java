package dev.slipway.tool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** uv, as pip gets it. */
final class PythonIndex implements ToolSource {
  private final Pip pip;

  PythonIndex(Pip pip) {
    this.pip = pip;
  }

  @Override
  public Fetched fetch(String name, VersionRange range, Path workplace)
      throws InterruptedException {
    return pip.install(name + range.forPython(), workplace)
        .orElseGet(() -> new Fetched.Complete(version(name, workplace), workplace, List.of()));
  }

  /** As the directory beside an installed package says it. */
  static Version version(String name, Path packages) {
    Pattern info = Pattern.compile(Pattern.quote(name) + "-(.+)\\.dist-info");
    try (Stream<Path> entries = Files.list(packages)) {
      return entries
          .map(path -> info.matcher(path.getFileName().toString()))
          .filter(Matcher::matches)
          .map(matcher -> Version.parse(matcher.group(1)))
          .flatMap(Optional::stream)
          .findFirst()
          .orElseThrow(
              () -> new IllegalStateException("no version of " + name + " in " + packages));
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + packages + " failed", e);
    }
  }
}
