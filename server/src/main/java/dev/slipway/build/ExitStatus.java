package dev.slipway.build;

/** What an exit status means, in words. */
final class ExitStatus {
  private static final int SIGNALED = 128;

  private ExitStatus() {}

  /** Goes on from the name of a program. */
  static String words(int status) {
    String number = " (exit status " + status + ")";
    return switch (status) {
      case 126 -> "calls a program that may not be run" + number;
      case 127 -> "calls a program that does not exist" + number;
      case SIGNALED + 4 ->
          "used an instruction that this server's processor does not have" + number;
      case SIGNALED + 6 -> "gave up by itself" + number;
      case SIGNALED + 7, SIGNALED + 11 -> "crashed" + number;
      case SIGNALED + 9 -> "was killed" + number;
      case SIGNALED + 15 -> "was told to end" + number;
      default -> "ended with exit status " + status;
    };
  }
}
