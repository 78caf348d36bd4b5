package dev.slipway.framework.node;

import java.util.HashMap;
import java.util.Map;

/** The packages of an application's workspace. */
record Members(NodeApp app) {
  /** Their directories by the names that others ask for them by. */
  Map<String, String> byName() {
    Map<String, String> directories = new HashMap<>();
    for (String directory : app.members()) {
      app.place()
          .at(directory)
          .manifest()
          .flatMap(manifest -> manifest.text("name"))
          .ifPresent(name -> directories.put(name, directory));
    }
    return directories;
  }
}
