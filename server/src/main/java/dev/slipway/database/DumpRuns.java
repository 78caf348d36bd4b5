package dev.slipway.database;

import dev.slipway.core.AppFailure;
import dev.slipway.core.Limits;
import dev.slipway.core.Secret;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.sandbox.SandboxSpec;
import dev.slipway.sandbox.Trees;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs the programs that read and write dumps: in the sandbox, each as a user of its own that sees
 * no files of this host, in the host's network. What they read and write passes through us.
 * Thread-safe.
 *
 * <p>Interrupting a thread that is in one of the methods ends its programs, and nothing stays.
 */
public final class DumpRuns {
  /** Beside those of tools, builds and running programs. */
  private static final int FIRST_UID = 299_100;

  private static final int UIDS = 500;
  private static final Limits LIMITS = new Limits(2048, 1, 128);
  private static final int MOST_OF_AN_ANSWER = 64 << 10;

  private final Sandbox sandbox;
  private final Path directory;
  private final AtomicLong number = new AtomicLong();

  /**
   * @param directory for runs and nothing else, made if absent; what an earlier server left there
   *     is ended and deleted
   */
  public DumpRuns(Sandbox sandbox, Path directory) {
    this.sandbox = sandbox;
    this.directory = directory;
    sandbox.endLeftovers(directory, Set.of());
    try {
      Files.createDirectories(directory);
      // Without namespaces the programs go through it.
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    } catch (IOException e) {
      throw new UncheckedIOException("making " + directory + " failed", e);
    }
  }

  /** What a program prints, of a few KiB at most; empty where it cannot be run or fails. */
  public String answer(DumpProgram program) throws InterruptedException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    try (DumpRun run = start(program)) {
      run.input().close();
      Flow flow = Flow.start(run.output(), bounded(answer));
      flow.await(DumpProgress.NONE);
      run.requireSuccess();
      flow.requireRead("Reading the answer");
      return answer.toString(StandardCharsets.UTF_8).strip();
    } catch (AppFailure | IOException doesNotRun) {
      return "";
    }
  }

  /** How the bytes of a dump are kept in a file. */
  public interface Packing {
    Packing NONE =
        new Packing() {
          @Override
          public OutputStream into(OutputStream file) {
            return file;
          }

          @Override
          public InputStream outOf(InputStream file) {
            return file;
          }
        };

    /** Closing it completes the file. */
    OutputStream into(OutputStream file) throws IOException;

    InputStream outOf(InputStream file) throws IOException;
  }

  /**
   * Writes what a program prints to a file, whole or not at all.
   *
   * @return its size in bytes
   */
  public long write(DumpProgram from, Path file, DumpProgress progress)
      throws InterruptedException {
    return write(List.of(from), Packing.NONE, file, progress);
  }

  /** The same of several, one after the other. */
  public long write(List<DumpProgram> from, Packing packing, Path file, DumpProgress progress)
      throws InterruptedException {
    String what = "Writing the dump " + file.getFileName();
    try (WholeFile whole = new WholeFile(file)) {
      try (OutputStream to = packing.into(whole.out())) {
        for (DumpProgram program : from) {
          write(program, to, what, progress);
        }
      }
      return whole.finish();
    } catch (IOException e) {
      throw Flow.failed(what, e);
    }
  }

  private void write(DumpProgram from, OutputStream to, String what, DumpProgress progress)
      throws IOException, InterruptedException {
    try (DumpRun source = start(from)) {
      source.input().close();
      Flow flow = Flow.start(source.output(), to);
      flow.await(progress);
      // Before the program says that nobody took what it wrote.
      flow.requireWritten(what);
      flow.requireRead("Reading what %s wrote".formatted(from.name()));
      source.requireSuccess();
    }
  }

  /** Gives a file to a program. */
  public void read(Path file, DumpProgram into, DumpProgress progress) throws InterruptedException {
    read(file, Packing.NONE, into, progress);
  }

  /** The same of one that is packed. */
  public void read(Path file, Packing packing, DumpProgram into, DumpProgress progress)
      throws InterruptedException {
    try (InputStream in = packing.outOf(Files.newInputStream(file));
        DumpRun sink = start(into)) {
      sink.discardOutput();
      Flow flow = Flow.start(in, sink.input());
      flow.await(progress);
      flow.requireRead("Reading the dump " + file.getFileName());
      finish(flow, sink, progress);
    } catch (IOException e) {
      throw Flow.failed("Reading the dump " + file.getFileName(), e);
    }
  }

  /** Gives what one program prints to another one. */
  public void pipe(DumpProgram from, DumpProgram into, DumpProgress progress)
      throws InterruptedException {
    try (DumpRun sink = start(into);
        DumpRun source = start(from)) {
      source.input().close();
      sink.discardOutput();
      Flow flow = Flow.start(source.output(), sink.input());
      flow.await(progress);
      flow.requireRead("Reading what %s wrote".formatted(from.name()));
      if (!flow.refused()) {
        source.requireSuccess(); // before the other takes a part of a dump for all of it
      }
      finish(flow, sink, progress);
      source.requireSuccess();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One that does not want more has failed, or knows that there is no more. */
  private static void finish(Flow flow, DumpRun sink, DumpProgress progress)
      throws InterruptedException {
    progress.allIsRead();
    flow.closeSink();
    sink.requireSuccess();
  }

  private DumpRun start(DumpProgram program) {
    long n = number.incrementAndGet();
    String name = "dump-" + ProcessHandle.current().pid() + "-" + n;
    Path run = directory.resolve(name);
    int uid = FIRST_UID + (int) (n % UIDS);
    try {
      SandboxSpec spec = spec(program, name, run, place(program, run, uid), uid);
      return new DumpRun(program, sandbox, run, sandbox.start(spec));
    } catch (IOException e) {
      Trees.delete(run);
      throw new UncheckedIOException("preparing " + run + " failed", e);
    } catch (RuntimeException e) {
      sandbox.end(run);
      throw e;
    }
  }

  private static SandboxSpec spec(DumpProgram program, String name, Path run, Path app, int uid) {
    return new SandboxSpec(
        name,
        run,
        "",
        List.of(program.command()),
        program.env(),
        List.of(),
        new SandboxSpec.Files.Writable(app),
        program.directories(),
        uid,
        LIMITS,
        SandboxSpec.Network.HOST,
        SandboxSpec.Output.CONNECTED);
  }

  /** Its working directory, with its files. */
  private static Path place(DumpProgram program, Path run, int uid) throws IOException {
    var ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    Path app = Files.createDirectories(run.resolve("files"));
    for (Map.Entry<String, Secret> file : program.files().entrySet()) {
      Path path = Files.createFile(app.resolve(file.getKey()), ownerOnly);
      Files.writeString(path, file.getValue().reveal());
      give(path, uid);
    }
    // The sandbox goes there before it becomes that user.
    Files.setPosixFilePermissions(app, PosixFilePermissions.fromString("rwx--x--x"));
    give(app, uid);
    return app;
  }

  private static void give(Path path, int uid) throws IOException {
    if (Files.getAttribute(path, "unix:uid").equals(0)) {
      Files.setAttribute(path, "unix:uid", uid);
      Files.setAttribute(path, "unix:gid", uid);
    }
  }

  private static OutputStream bounded(ByteArrayOutputStream answer) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        if (answer.size() + length > MOST_OF_AN_ANSWER) {
          throw new IOException("it says too much");
        }
        answer.write(bytes, from, length);
      }
    };
  }
}
