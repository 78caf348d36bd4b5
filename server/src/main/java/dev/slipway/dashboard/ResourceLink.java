package dev.slipway.dashboard;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the pages of resources are, by their ids. */
final class ResourceLink {
  private static final Pattern ID = Pattern.compile("([a-z]{3})_[0-9a-z]{26}");

  private ResourceLink() {}

  /** The page of what has that id; empty where there is none, or its id does not tell. */
  static String of(String id) {
    Matcher parts = ID.matcher(id);
    String folder =
        parts.matches()
            ? switch (parts.group(1)) {
              case "prj" -> "/projects/";
              case "dep" -> "/deployments/";
              case "mig" -> "/migrations/";
              case "dbp" -> "/databases/";
              case "whk" -> SettingsTab.WEBHOOKS.path() + "/";
              default -> "";
            }
            : "";
    return folder.isEmpty() ? "" : Site.BASE + folder + id;
  }
}
