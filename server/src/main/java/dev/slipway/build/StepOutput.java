package dev.slipway.build;

import dev.slipway.runlog.RunLog;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What one step prints on its way to the log, empty lines included. The log itself bounds how much
 * of it is kept. For one thread at a time.
 */
final class StepOutput {
  private static final int LAST_LINES = 100;
  private static final int MAX_TELLING_CHARS = 500;

  private static final String NPM_ERROR = "npm error ";

  /** Of npm's own lines those that say where it happened, not what. */
  private static final Pattern NPM_BESIDES =
      Pattern.compile(
          "npm error( (code|errno|path|syscall|command|signal|workspace|location|A complete log|Lifecycle script|For a full report|in ).*)?");

  private static final Pattern ERROR =
      Pattern.compile("(?i)\\b\\w*error\\b.*\\w.*|.*\\bfailed\\b.*");

  private final RunLog log;
  private final Deque<String> last = new ArrayDeque<>();

  StepOutput(RunLog log) {
    this.log = log;
  }

  void accept(String line) {
    last.addLast(line);
    if (last.size() > LAST_LINES) {
      last.removeFirst();
    }
    log.info(line);
  }

  /** Whether one of the last lines holds this text. */
  boolean mentions(String text) {
    return last.stream().anyMatch(line -> line.contains(text));
  }

  /** The line that says best why the step failed. */
  Optional<String> tellingLine() {
    List<String> lines = last.stream().map(String::strip).filter(line -> !line.isEmpty()).toList();
    Optional<String> ofNpm =
        lines.stream()
            .filter(line -> line.startsWith(NPM_ERROR) && !NPM_BESIDES.matcher(line).matches())
            .findFirst()
            .map(line -> line.substring(NPM_ERROR.length()));
    List<String> ofProgram = lines.stream().filter(line -> !line.startsWith("npm ")).toList();
    return ofNpm
        .or(() -> lastOf(ofProgram.stream().filter(line -> ERROR.matcher(line).find()).toList()))
        .or(() -> lastOf(ofProgram))
        .map(line -> line.substring(0, Math.min(line.length(), MAX_TELLING_CHARS)));
  }

  private static Optional<String> lastOf(List<String> lines) {
    return lines.isEmpty() ? Optional.empty() : Optional.of(lines.getLast());
  }
}
