package dev.slipway.framework.python;

import dev.slipway.framework.Tool;
import dev.slipway.source.Checkout;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The versions of Python that an application asks for, in the many places where it may. */
record PythonVersion(Checkout checkout, String directory) {
  private static final Pattern EXACT =
      Pattern.compile("(?:c?python-?)?(\\d+)\\.(\\d+)(?:\\.\\d+)?");
  private static final Pattern TOOL_VERSIONS = Pattern.compile("(?m)^python\\s+(\\S+)");

  Tool tool() {
    List<Supplier<Optional<String>>> places =
        List.of(
            () -> line(".python-version"),
            () -> line("runtime.txt"),
            () -> toolVersions(),
            () -> Pipfile.python(checkout, in(Pipfile.FILE)).map(PythonVersion::exact),
            () -> Pyproject.in(checkout, directory).flatMap(Pyproject::requiresPython));
    String range =
        places.stream().map(Supplier::get).flatMap(Optional::stream).findFirst().orElse("");
    return new Tool("python", range);
  }

  /** Its files, which decide what is installed too. */
  List<String> inputs() {
    return Stream.of(".python-version", "runtime.txt", ".tool-versions", Pipfile.FILE)
        .flatMap(name -> Stream.of(in(name), name))
        .distinct()
        .filter(checkout::hasFile)
        .toList();
  }

  /** With the application, else at the repository's root; a name of an environment is none. */
  private Optional<String> line(String name) {
    return Stream.of(in(name), name)
        .flatMap(path -> checkout.text(path).stream())
        .flatMap(String::lines)
        .map(String::strip)
        .filter(line -> EXACT.matcher(line).matches())
        .map(PythonVersion::exact)
        .findFirst();
  }

  private Optional<String> toolVersions() {
    return checkout
        .text(in(".tool-versions"))
        .map(TOOL_VERSIONS::matcher)
        .filter(Matcher::find)
        .map(found -> exact(found.group(1)))
        .filter(range -> !range.isEmpty());
  }

  /**
   * The last number changes nothing that an application notices, and not every one is to be had.
   */
  private static String exact(String version) {
    Matcher matcher = EXACT.matcher(version.strip());
    return matcher.matches() ? "==%s.%s.*".formatted(matcher.group(1), matcher.group(2)) : "";
  }

  private String in(String name) {
    return Paths.join(directory, name);
  }
}
