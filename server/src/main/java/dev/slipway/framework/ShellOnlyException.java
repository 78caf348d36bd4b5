package dev.slipway.framework;

/** A line cannot be run without a shell; what in it cannot. */
final class ShellOnlyException extends Exception {
  private static final long serialVersionUID = 1L;

  private static final String WAY_OUT =
      "Put the line into a script of package.json or into a file of the repository, and let the command call that.";

  private final String sentence;

  private ShellOnlyException(String sentence) {
    super(sentence);
    this.sentence = sentence;
  }

  /**
   * @param what begins a sentence and is something that only a shell understands
   */
  static ShellOnlyException because(String what) {
    return new ShellOnlyException(
        "%s needs a shell, and commands run without one. %s".formatted(what, WAY_OUT));
  }

  /** The line is wrong for a shell too. */
  static ShellOnlyException wrong(String sentence) {
    return new ShellOnlyException(sentence);
  }

  String sentence() {
    return sentence;
  }
}
