package dev.slipway.build;

import dev.slipway.core.RawPath;
import dev.slipway.framework.BuildPlan.Fallback;
import dev.slipway.framework.BuildPlan.Install;
import dev.slipway.framework.BuildPlan.Step;
import dev.slipway.tool.OperatorSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What two installs have in common that bring the same.
 *
 * @param text a file name
 * @param inputs the files that decided, relative to the root in the text form of {@link RawPath}
 */
record DependencyKey(String text, Set<String> inputs) {
  /** Grows when what is kept under a key changes. */
  private static final String FORMAT = "2";

  private static final long MAX_CONFIGURATION_BYTES = 64 << 10;

  DependencyKey {
    inputs = Set.copyOf(inputs);
  }

  /**
   * @param owner nobody else's builds decide what this one's run
   * @param tools exact versions
   * @param env of the user
   */
  static DependencyKey of(
      CacheOwner owner,
      Install install,
      Path source,
      List<String> tools,
      Map<String, String> env,
      OperatorSettings operator) {
    List<Path> inputs = InputFiles.of(source, install.inputs());
    Digest digest = new Digest().add(FORMAT).add(owner.folder());
    digest.add(System.getProperty("os.name")).add(System.getProperty("os.arch")).add(tools);
    addSteps(digest, install.steps());
    digest.add(operator.env()).add(operator.npmrc());
    try {
      digest.add(Integer.toString(inputs.size()));
      for (Path input : inputs) {
        addFile(digest, source, input);
      }
      digest.add(InstallVariables.of(env, configuration(source, inputs)));
    } catch (IOException e) {
      throw new UncheckedIOException("reading what decides the install failed", e);
    }
    return new DependencyKey(
        digest.hex(), inputs.stream().map(RawPath::encode).collect(Collectors.toSet()));
  }

  private static void addSteps(Digest digest, List<Step> steps) {
    digest.add(Integer.toString(steps.size()));
    for (Step step : steps) {
      digest.add(step.directory()).add(step.argv()).add(step.env());
      for (Optional<Fallback> other = step.fallback();
          other.isPresent();
          other = other.get().next()) {
        digest.add(other.get().argv());
      }
    }
  }

  private static void addFile(Digest digest, Path source, Path input) throws IOException {
    Path file = source.resolve(input);
    digest.add(RawPath.encode(input));
    if (Files.isSymbolicLink(file)) {
      digest.add("link").add(RawPath.encode(Files.readSymbolicLink(file)));
    } else if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      digest.addContent(file);
    }
  }

  /** The texts of the inputs that configure package managers. */
  private static List<String> configuration(Path source, List<Path> inputs) throws IOException {
    List<String> texts = new ArrayList<>();
    for (Path input : inputs) {
      Path file = source.resolve(input);
      String name = input.getFileName().toString();
      if (name.matches("\\.npmrc|\\.yarnrc(\\.yml)?|bunfig\\.toml|pip\\.conf|uv\\.toml")
          && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          && Files.size(file) <= MAX_CONFIGURATION_BYTES) {
        texts.add(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
      }
    }
    return texts;
  }
}
