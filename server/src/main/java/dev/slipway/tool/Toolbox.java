package dev.slipway.tool;

import dev.slipway.core.AppFailure;
import dev.slipway.core.Holds;
import dev.slipway.framework.Tool;
import dev.slipway.sandbox.Sandbox;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The tools that plans and dumps of databases need, in a version that they ask for: the host's
 * where that will do, else one that was fetched before, else one fetched now. Where none is to be
 * had the nearest takes its place, with a warning. Thread-safe; two who ask for the same fetch it
 * once.
 *
 * <p>Everything is below one directory: {@code <name>/<version>/} for what was fetched, and names
 * that begin with a dot for what goes on. See docs/decisions/020-tools.md.
 */
public final class Toolbox {
  /** One that no release names is deleted when nobody has asked for it for so long. */
  private static final Duration UNUSED = Duration.ofDays(14);

  /** So long after it was asked for, its user has said so here or in the store. */
  private static final Duration UNSAID = Duration.ofMinutes(1);

  private final Supplier<Set<String>> needed;
  private final Clock clock;
  private final Holds<String> holds = new Holds<>();
  private final Host host;
  private final ToolShelf shelf;
  private final Supply supply;

  /**
   * @param directory made if absent; what an earlier server was fetching is ended and deleted
   * @param home of the server's user, where version managers keep Pythons
   * @param needed ids of what is never deleted, as the programs of kept releases need it; may read
   *     the store
   */
  public Toolbox(
      Path directory,
      Sandbox sandbox,
      OperatorSettings operator,
      Path home,
      Supplier<Set<String>> needed,
      Clock clock) {
    this.needed = needed;
    this.clock = clock;
    this.shelf = new ToolShelf(directory);
    ToolRuns runs = new ToolRuns(sandbox, operator, directory.resolve(".runs"));
    this.host = new HostTools(runs, directory.resolve(".host"), home);
    ToolSource npm = new NpmRegistry(runs, Machine.here());
    Pip pip = new Pip(runs, host);
    UvCommand uv = () -> provide(new Tool("uv", ""), Optional.empty(), new ArrayList<>());
    this.supply =
        new Supply(
            directory.resolve(".fetching"),
            host,
            shelf,
            Map.of(
                "node", npm,
                "npm", npm,
                "pnpm", npm,
                "yarn", npm,
                "bun", npm,
                "uv", new PythonIndex(pip),
                "poetry", new PoetrySource(runs, host, uv),
                "python", new PythonBuilds(runs, uv),
                "pg_dump", new PostgresClients(pip, runs)),
            new VersionTrial(runs),
            clock);
  }

  /**
   * The tools that a plan asks for. Blocks while one is fetched, for minutes at worst.
   *
   * @throws AppFailure {@code INSTALL_FAILED} if there is no version at all of one of them
   * @throws InterruptedException if this thread is interrupted; nothing is left running then
   */
  public Provision provide(List<Tool> tools) throws InterruptedException {
    List<ProvidedTool> provided = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    // Node first: package managers have to run with it.
    List<Tool> ordered =
        tools.stream().sorted(Comparator.comparing(tool -> !tool.name().equals("node"))).toList();
    Optional<Version> node = Optional.empty();
    List<Hold> whileOthersAreFetched = new ArrayList<>();
    try {
      for (Tool tool : ordered) {
        ProvidedTool found = provide(tool, node, warnings);
        whileOthersAreFetched.add(hold(new Provision(List.of(found), List.of())));
        if (tool.name().equals("node")) {
          node = Version.parse(found.version());
        }
        provided.add(found);
      }
      return new Provision(provided, warnings);
    } finally {
      whileOthersAreFetched.forEach(Hold::close);
    }
  }

  /**
   * The tools that a release was built with, for the start of its program: at once from disk,
   * fetched anew where they are gone.
   *
   * @param ids as {@link Provision#ids} gave them
   */
  public Provision again(List<String> ids) throws InterruptedException {
    List<Tool> tools = new ArrayList<>();
    for (String id : ids) {
      int at = id.indexOf('@');
      tools.add(new Tool(id.substring(0, at), id.substring(at + 1)));
    }
    return provide(tools);
  }

  /**
   * Asks the host's tools for their versions, so that the first build need not wait for that. Ends
   * early when interrupted; nothing is left running then.
   */
  public void warmUp() {
    try {
      for (String name : List.of("node", "npm", "python")) {
        host.all(name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Until this is closed, nothing of what was provided is deleted. */
  public Hold hold(Provision provision) {
    List<String> ids = provision.ids();
    holds.add(ids);
    return () -> {
      // Used until now: whoever needs it next has time to say so.
      try {
        provision.tools().forEach(tool -> shelf.use(tool, clock.instant()));
      } finally {
        holds.remove(ids);
      }
    };
  }

  /** What {@link #hold} gives. */
  public interface Hold extends AutoCloseable {
    @Override
    void close();
  }

  /** What was fetched and nobody uses now: no build, no kept release, no running program. */
  public List<KeptTool> unneeded() {
    Instant recently = clock.instant().minus(UNSAID);
    List<KeptTool> idle =
        shelf.kept().stream().filter(tool -> tool.lastUsed().isBefore(recently)).toList();
    Set<String> inUse = new HashSet<>(holds.all());
    inUse.addAll(needed.get()); // after the look at the shelf, so that nothing falls between
    return idle.stream().filter(tool -> !inUse.contains(tool.id())).toList();
  }

  /** Does nothing where somebody has asked for it since. */
  public void delete(KeptTool tool) {
    shelf.delete(tool);
  }

  /** Deletes what nobody has asked for in a long time. */
  public void collect() {
    Instant before = clock.instant().minus(UNUSED);
    unneeded().stream().filter(tool -> tool.lastUsed().isBefore(before)).forEach(shelf::delete);
  }

  private ProvidedTool provide(Tool tool, Optional<Version> node, List<String> warnings)
      throws InterruptedException {
    String name = tool.name();
    Optional<VersionRange> asked = range(tool);
    if (asked.isEmpty()) {
      warnings.add(ToolSentences.unreadable(name, tool.range()));
    }
    VersionRange range = asked.orElse(VersionRange.ANY);
    VersionRange fitting = node.map(version -> Needs.narrowed(name, range, version)).orElse(range);
    Supply.Found found = supply.find(new Supply.Wish(name, tool.range(), fitting, node));
    found.warning().ifPresent(warnings::add);
    return found.tool();
  }

  private static Optional<VersionRange> range(Tool tool) {
    String text = tool.range().strip();
    return switch (tool.name()) {
      case "node" -> VersionRange.parse(NodeNames.range(text).orElse(text));
      // As .python-version has it.
      case "python" -> VersionRange.parse(text.replaceFirst("^(cpython-|python-)", ""));
      default -> VersionRange.parse(text.equals("latest") ? "" : text);
    };
  }
}
