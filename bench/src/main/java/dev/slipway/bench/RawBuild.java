package dev.slipway.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The same by hand: clone, install, build, start, until the first answer. */
final class RawBuild {
  private final BuiltApp app;
  private final AppRepository repository;
  private final Path work;
  private Path last;
  private int checkouts;

  RawBuild(BuiltApp app, AppRepository repository, Path work) {
    this.app = app;
    this.repository = repository;
    this.work = work;
    this.last = work;
  }

  Duration firstDeployment(String greeting) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    last = cloned();
    run(app.install(), greeting);
    run(app.build(), greeting);
    return started(greeting, begin);
  }

  /** With the modules of the build before. */
  Duration redeployment(String greeting) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Path before = last;
    last = cloned();
    Files.move(
        before.resolve(app.installed()),
        last.resolve(app.installed()),
        StandardCopyOption.ATOMIC_MOVE);
    run(app.build(), greeting);
    return started(greeting, begin);
  }

  /** In the checkout of the build before. */
  Duration rebuild(String greeting) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    run(app.build(), greeting);
    return started(greeting, begin);
  }

  private Path cloned() throws InterruptedException {
    return repository.cloned("raw-%s-%d".formatted(app.name(), checkouts++));
  }

  private void run(List<List<String>> commands, String greeting) throws InterruptedException {
    for (List<String> command : commands) {
      Process process =
          Program.start(last, log(), Map.of(app.variable(), greeting), resolved(command));
      if (process.waitFor() != 0) {
        throw new IllegalStateException(String.join(" ", command) + " failed, see " + log());
      }
    }
  }

  private Duration started(String greeting, long begin) throws IOException {
    int port = FreePort.find();
    List<String> command =
        resolved(app.start()).stream()
            .map(word -> word.equals("PORT") ? Integer.toString(port) : word)
            .toList();
    Process program =
        Program.start(
            last, log(), Map.of("PORT", Integer.toString(port), app.variable(), greeting), command);
    try {
      Waits.untilAnswers(port, "/", program);
      return Duration.ofNanos(System.nanoTime() - begin);
    } finally {
      program.descendants().forEach(ProcessHandle::destroy);
      Program.end(program);
    }
  }

  /** A program of the checkout is named from there. */
  private List<String> resolved(List<String> command) {
    return command.getFirst().startsWith(".")
        ? Stream.concat(
                Stream.of(last.resolve(command.getFirst()).toString()), command.stream().skip(1))
            .toList()
        : command;
  }

  private File log() {
    return work.resolve("raw.log").toFile();
  }
}
