package dev.slipway.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What decides which programs run on this machine.
 *
 * @param arm whether it is a 64-bit ARM; otherwise it is an x86-64
 * @param avx2 whether an x86-64 has these instructions
 */
record Machine(boolean arm, boolean avx2) {
  static Machine here() {
    boolean arm = List.of("aarch64", "arm64").contains(System.getProperty("os.arch"));
    return new Machine(arm, !arm && processorHas("avx2"));
  }

  String arm(String yes, String no) {
    return arm ? yes : no;
  }

  String avx2(String yes, String no) {
    return avx2 ? yes : no;
  }

  private static boolean processorHas(String flag) {
    try {
      return Files.readString(Path.of("/proc/cpuinfo")).contains(" " + flag + " ");
    } catch (IOException unknown) {
      return false;
    }
  }
}
