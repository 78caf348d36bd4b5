package dev.slipway.build;

import dev.slipway.runlog.RunLog;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one step prints on its way to the log, empty lines included. The log itself bounds how much
 * of it is kept. For one thread at a time.
 */
final class StepOutput {
  private static final int LAST_LINES = 400;
  private static final int MAX_LINE_CHARS = 2000;
  private static final int MAX_TELLING_CHARS = 500;

  private static final Pattern NPM_ERROR = Pattern.compile("npm (?:error|ERR!) (.*)");

  /** Of npm's own lines those that say where it happened, not what. */
  private static final Pattern NPM_BESIDES =
      Pattern.compile(
          "(code|errno|path|syscall|command|signal|workspace|location|A complete log|Lifecycle script|For a full report|in ).*|");

  /** That something failed, which is known, or what to do then in general. */
  private static final Pattern BESIDES =
      Pattern.compile(
          "npm .*|\\[?ELIFECYCLE\\b.*|> Build failed because of .*|WARN .*|.*ERR_PNPM_RECURSIVE.*|error Command failed with exit code.*"
              + "|error: script \".*|info Visit .*|Node\\.js v\\d.*|at .*|\\^+");

  private static final Pattern ERROR =
      Pattern.compile("(?i)\\b\\w*error\\b.*\\w.*|.*\\bfailed\\b.*");

  private final RunLog log;
  private final Deque<String> last = new ArrayDeque<>();

  StepOutput(RunLog log) {
    this.log = log;
  }

  void accept(String line) {
    last.addLast(line.substring(0, Math.min(line.length(), MAX_LINE_CHARS)));
    if (last.size() > LAST_LINES) {
      last.removeFirst();
    }
    log.info(line);
  }

  /** Whether one of the last lines holds this text. */
  boolean mentions(String text) {
    return last.stream().anyMatch(line -> line.contains(text));
  }

  /** What says best why the step failed, in one line. */
  Optional<String> tellingLine() {
    List<String> lines = last.stream().map(String::strip).filter(line -> !line.isEmpty()).toList();
    List<String> ofProgram =
        lines.stream().filter(line -> !BESIDES.matcher(line).matches()).toList();
    return Complaints.in(String.join("\n", last))
        .or(() -> ofNpm(lines))
        .or(() -> lastOf(ofProgram.stream().filter(line -> ERROR.matcher(line).find()).toList()))
        .or(() -> lastOf(ofProgram))
        .map(line -> line.substring(0, Math.min(line.length(), MAX_TELLING_CHARS)));
  }

  private static Optional<String> ofNpm(List<String> lines) {
    return lines.stream()
        .map(NPM_ERROR::matcher)
        .filter(Matcher::matches)
        .map(matcher -> matcher.group(1))
        .filter(line -> !NPM_BESIDES.matcher(line).matches())
        .findFirst();
  }

  private static Optional<String> lastOf(List<String> lines) {
    return lines.isEmpty() ? Optional.empty() : Optional.of(lines.getLast());
  }
}
