package dev.slipway.deployment;

import dev.slipway.build.ManagedVariables;
import dev.slipway.core.EnvVars;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a deployment's build or program is given, as of one moment.
 *
 * @param own as its owner wrote them
 * @param managed those of its database
 */
record Given(EnvVars own, ManagedVariables managed) {
  EnvVars all() {
    return own.over(managed.env());
  }

  /** Names of the managed ones, save those that the owner has set himself. */
  List<String> managedNames() {
    return managed.env().values().keySet().stream()
        .filter(name -> !own.values().containsKey(name))
        .sorted()
        .toList();
  }

  /** Values that must not be read in logs. */
  Set<String> secrets() {
    Set<String> secrets = new HashSet<>(all().values().values());
    secrets.removeAll(managed.env().values().values());
    secrets.addAll(managedSecrets());
    return secrets;
  }

  /**
   * Of the managed values. Where the database is and what it is called may be read: programs say so
   * all the time, and a log with that masked would help nobody.
   */
  Set<String> managedSecrets() {
    Map<String, String> values = managed.env().values();
    List<String> passwords =
        values.keySet().stream()
            .filter(name -> name.endsWith("PASSWORD"))
            .map(values::get)
            .toList();
    return values.entrySet().stream()
        .filter(variable ->
            variable.getKey().endsWith("URL")
                || passwords.stream().anyMatch(variable.getValue()::contains))
        .map(Map.Entry::getValue)
        .collect(Collectors.toUnmodifiableSet());
  }
}
