package dev.slipway.sandbox;

import dev.slipway.core.Limits;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A program to be run apart from everything else.
 *
 * @param name unique among what runs; names its cgroup, for example the instance's id
 * @param runDirectory ours: the supervisor writes process id, start time, exit status and, for
 *     {@link Output#KEPT}, the program's output there. Made if absent; must hold no other run
 * @param argv the program, found through the sandbox's own PATH
 * @param env the program's whole environment, save {@code HOME}, {@code TMPDIR} and {@code LANG},
 *     which are set where absent, and {@code PATH}, to which the sandbox's own is appended. Never
 *     part of a command line
 * @param files what the program sees as its working directory
 * @param readOnly further directories that it may read, at their own paths
 * @param uid the user that it runs as where we are root; not otherwise used
 * @param limits what it may use
 */
public record SandboxSpec(
    String name,
    Path runDirectory,
    List<String> argv,
    Map<String, String> env,
    Files files,
    List<Path> readOnly,
    int uid,
    Limits limits,
    Output output) {

  /** The program's working directory, seen by it as {@code /app} where the host allows. */
  public sealed interface Files {
    /** A directory that it may write to, owned by its user. */
    record Writable(Path directory) implements Files {}

    /**
     * A read-only tree; what the program writes goes to {@code scratch} and is seen by it alone. It
     * may change what the tree's own modes allow to others (so a store of releases gives its files
     * the modes 0666 and 0777 and closes the way to them instead), and add to its root.
     *
     * @param scratch made if absent, on the file system of the tree; deleted by the caller with
     *     {@link Trees#delete}
     */
    record CopyOnWrite(Path tree, Path scratch) implements Files {}
  }

  /** Where standard output and standard error go, interleaved. */
  public enum Output {
    /** To a pipe that {@link SandboxedProcess#output} reads; the program ends with its reader. */
    PIPED,
    /** To a size-capped ring of files in the run directory; goes on when we are gone. */
    KEPT
  }
}
