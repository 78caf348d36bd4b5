package dev.slipway.database;

import dev.slipway.core.Secret;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A program that writes a dump to its standard output, or reads one from its standard input.
 *
 * @param what it does, after its name: {@code could not read the database}
 * @param command its arguments hold nothing secret
 * @param directories of the host, beside the system's, that it may read
 * @param files that it finds in its working directory, readable by it alone, by their names
 * @param secrets that are hidden where it is quoted
 * @param forgives whether nothing is wrong though it ended with an error, by its first and last
 *     lines
 * @param output what becomes of what it prints
 */
public record DumpProgram(
    String name,
    String what,
    List<String> command,
    Map<String, String> env,
    List<Path> directories,
    Map<String, Secret> files,
    List<Secret> secrets,
    Predicate<List<String>> forgives,
    UnaryOperator<InputStream> output) {
  /** Nothing is forgiven. */
  public static final Predicate<List<String>> STRICT = _ -> false;

  public DumpProgram {
    command = List.copyOf(command);
    env = Map.copyOf(env);
    directories = List.copyOf(directories);
    files = Map.copyOf(files);
    secrets = List.copyOf(secrets);
  }

  /** What it prints is taken as it is. */
  public DumpProgram(
      String name,
      String what,
      List<String> command,
      Map<String, String> env,
      List<Path> directories,
      Map<String, Secret> files,
      List<Secret> secrets,
      Predicate<List<String>> forgives) {
    this(name, what, command, env, directories, files, secrets, forgives, UnaryOperator.identity());
  }

  /** The same, whose output is changed on its way. */
  public DumpProgram through(UnaryOperator<InputStream> changed) {
    return new DumpProgram(
        name, what, command, env, directories, files, secrets, forgives, changed);
  }
}
