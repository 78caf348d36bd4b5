package dev.slipway.acceptance;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The command line of the program, as {@code ./slipway} makes it. */
final class Slipway {
  private static final List<String> OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "-Dio.netty.allocator.type=pooled",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  private Slipway() {}

  /**
   * @param arguments those of the program, after any options of the JVM
   */
  static String[] command(String... arguments) {
    List<String> argv = new ArrayList<>();
    argv.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    argv.addAll(OPTIONS);
    argv.addAll(List.of("-cp", System.getProperty("java.class.path")));
    argv.addAll(Arrays.stream(arguments).takeWhile(it -> it.startsWith("-D")).toList());
    argv.add("dev.slipway.cli.Slipway");
    argv.addAll(Arrays.stream(arguments).dropWhile(it -> it.startsWith("-D")).toList());
    return argv.toArray(String[]::new);
  }
}
