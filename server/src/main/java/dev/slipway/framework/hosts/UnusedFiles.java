package dev.slipway.framework.hosts;

import java.util.List;
import java.util.Set;

/** What says how an application is built, in a way that is not followed here. */
final class UnusedFiles implements HostFile {
  private static final List<String> FILES =
      List.of("Dockerfile", "nixpacks.toml", "fly.toml", "heroku.yml");

  @Override
  public void read(Folder folder, Set<String> variables, Notes notes) {
    List<String> there = FILES.stream().filter(folder::has).toList();
    if (!there.isEmpty()) {
      notes.say(
          "Not used here: %s. The application is built from its manifests."
              .formatted(String.join(", ", there)));
    }
  }
}
