package dev.slipway.framework.hosts;

import dev.slipway.framework.Overrides;
import dev.slipway.source.Checkout;
import java.util.List;
import java.util.Set;

/**
 * The files of a repository that say how it is built and started, on this host and on others. Each
 * value is taken from the first that has it, and what was given by the user comes before all.
 *
 * <p>Faults in our own file fail the deployment; in those of other hosts they are said, as they
 * were not written for us.
 */
public final class HostFiles {
  // Order matters.
  private static final List<HostFile> ALL =
      List.of(
          new SlipwayYaml(),
          new Procfile(),
          new RenderYaml(),
          new RailwayFile(),
          new VercelJson(),
          new NetlifyToml(),
          new AppJson(),
          new UnusedFiles());

  private HostFiles() {}

  /**
   * Reads files only.
   *
   * @param checkout of the whole repository
   * @param given by the user, who knows better than any file
   * @param variables the names of those that are set for the application
   * @throws dev.slipway.core.AppFailure where {@code slipway.yaml} has a fault
   */
  public static Settled read(Checkout checkout, Overrides given, Set<String> variables) {
    Notes notes = new Notes(given);
    for (HostFile file : ALL) {
      file.read(new Folder(checkout, notes.directory()), variables, notes);
    }
    return notes.settled();
  }
}
