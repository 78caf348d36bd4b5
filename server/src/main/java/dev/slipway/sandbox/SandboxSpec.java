package dev.slipway.sandbox;

import dev.slipway.core.Limits;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A program to be run apart from everything else.
 *
 * @param name unique among what runs; names its cgroup, for example the instance's id
 * @param runDirectory ours: the supervisor writes process id, start time, exit status and, for
 *     {@link Output#KEPT}, the program's output there. Made if absent; must hold no other run
 * @param directory that the programs run in, relative to {@code /app}; empty for that itself
 * @param commands programs as argument vectors, found through the PATH, run one after the other
 *     while they succeed; the last one stays
 * @param env the program's whole environment, save {@code HOME}, {@code TMPDIR} and {@code LANG},
 *     which are set where absent, and {@code PATH}, to which the sandbox's own is appended. Never
 *     part of a command line
 * @param path what is looked through for programs before the sandbox's own PATH: absolute
 *     directories of the host, which {@code readOnly} shows, and ones relative to {@code /app}
 * @param files what the program sees as {@code /app}
 * @param readOnly further directories that it may read, at their own paths
 * @param uid the user that it runs as where we are root; not otherwise used
 * @param limits what it may use
 * @param network what it can reach
 */
public record SandboxSpec(
    String name,
    Path runDirectory,
    String directory,
    List<List<String>> commands,
    Map<String, String> env,
    List<String> path,
    Files files,
    List<Path> readOnly,
    int uid,
    Limits limits,
    Network network,
    Output output) {
  public SandboxSpec {
    commands = commands.stream().map(List::copyOf).toList();
    env = Map.copyOf(env);
    path = List.copyOf(path);
    readOnly = List.copyOf(readOnly);
  }

  /** What the program can reach. Made by {@link Sandbox#outside}, and closed by who asked. */
  public sealed interface Network extends AutoCloseable permits Shared, OutsideNetwork {
    /** All that the host can, its own loopback addresses included. */
    Network HOST = new Shared();

    /** Ends it, where it is not the host's. */
    @Override
    void close();
  }

  /** The host's. */
  record Shared() implements Network {
    @Override
    public void close() {}
  }

  /** The program's files, seen by it as {@code /app} where the host allows. */
  public sealed interface Files {
    /** A directory that it may write to, owned by its user. */
    record Writable(Path directory) implements Files {}

    /**
     * Read-only trees, seen as one; what the program writes goes to {@code scratch} and is seen by
     * it alone. It may change what a tree's own modes allow to others (so a store of releases gives
     * its files the modes 0666 and 0777 and closes the way to them instead), and add to its root.
     *
     * @param layers at least one; where several have a file, that of the first is seen
     * @param scratch made if absent, on the file system of the layers; deleted by the caller with
     *     {@link Trees#delete}
     */
    record CopyOnWrite(List<Path> layers, Path scratch) implements Files {
      public CopyOnWrite {
        layers = List.copyOf(layers);
      }
    }
  }

  /** Where standard output and standard error go; interleaved, but for {@link #CONNECTED}. */
  public enum Output {
    /** To a pipe that {@link SandboxedProcess#output} reads; the program ends with its reader. */
    PIPED,
    /** To a size-capped ring of files in the run directory; goes on when we are gone. */
    KEPT,
    /**
     * All three streams are pipes of this JVM's: {@link SandboxedProcess#input}, which is empty for
     * a program that is started otherwise, {@link SandboxedProcess#output} and {@link
     * SandboxedProcess#errors}. Each has to be closed, or read to its end, by the caller.
     */
    CONNECTED;

    String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
