package dev.slipway.framework.hosts;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Heroku's: a line for each kind of process. Only {@code web} is run here. */
final class Procfile implements HostFile {
  private static final String FILE = "Procfile";
  private static final Pattern LINE = Pattern.compile("([A-Za-z0-9_-]+)\\s*:\\s*(.+)");

  @Override
  public void read(Folder folder, Set<String> variables, Notes notes) {
    folder.text(FILE).ifPresent(text -> read(text, notes));
  }

  private static void read(String text, Notes notes) {
    Map<String, String> processes = new LinkedHashMap<>();
    for (String line : text.lines().map(String::strip).toList()) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches()) {
        processes.putIfAbsent(matcher.group(1), matcher.group(2));
      }
    }
    String web = processes.remove("web");
    if (web != null) {
      notes.take(FILE, Setting.START_COMMAND, web);
    }
    String release = processes.remove("release");
    if (release != null) {
      notes.warn(
          "The release command of the Procfile is not run here: %s. Run it yourself, or put it before the start command with &&."
              .formatted(release));
    }
    if (!processes.isEmpty()) {
      notes.warn(
          "Only the process web of the Procfile is run; not %s."
              .formatted(String.join(", ", List.copyOf(processes.keySet()))));
    }
  }
}
