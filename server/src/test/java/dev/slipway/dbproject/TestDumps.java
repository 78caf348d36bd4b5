package dev.slipway.dbproject;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.Dumps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Copies the one table that the tests know, {@code thing}, and can fail, hang and be overtaken. */
final class TestDumps implements Dumps {
  private final TestServer server;
  private final CutOff cutOff;
  final CountDownLatch begun = new CountDownLatch(1);
  private volatile Optional<String> failure = Optional.empty();
  private volatile boolean hangs;
  private volatile Runnable meanwhile = () -> {};

  TestDumps(TestServer server, CutOff cutOff) {
    this.server = server;
    this.cutOff = cutOff;
  }

  void fail(String sentence) {
    failure = Optional.of(sentence);
  }

  void work() {
    failure = Optional.empty();
    hangs = false;
  }

  /** Until it is interrupted. */
  void hang() {
    hangs = true;
  }

  /** Once, in the middle of the next call. */
  void meanwhile(Runnable what) {
    meanwhile = what;
  }

  @Override
  public long backup(DatabaseLink from, Path file, Consumer<String> progress)
      throws InterruptedException {
    List<String> things = things(from);
    Path draft = file.resolveSibling("." + file.getFileName() + ".unfinished");
    try {
      Files.write(draft, things);
      middle(progress);
      Files.move(draft, file);
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void restore(Path file, DatabaseLink into, Consumer<String> progress)
      throws InterruptedException {
    try {
      fill(into, Files.readAllLines(file), progress);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void copy(DatabaseLink from, DatabaseLink into, Consumer<String> progress)
      throws InterruptedException {
    fill(into, things(from), progress);
  }

  private void fill(DatabaseLink into, List<String> things, Consumer<String> progress)
      throws InterruptedException {
    add(into, List.of());
    middle(progress);
    add(into, things);
    cutOff.step();
  }

  private void middle(Consumer<String> progress) throws InterruptedException {
    begun.countDown();
    progress.accept("1 of 2 tables.");
    progress.accept("2 of 2 tables.");
    cutOff.step();
    Runnable what = meanwhile;
    meanwhile = () -> {};
    what.run();
    if (hangs) {
      new CountDownLatch(1).await();
    }
    if (failure.isPresent()) {
      throw new AppFailure(FailureCode.DATABASE_FAILED, failure.get());
    }
  }

  /** What is in the table; empty where there is none. */
  List<String> things(DatabaseLink link) {
    try (Connection connection = server.connect(link);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS thing (name text)");
      List<String> things = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery("SELECT name FROM thing ORDER BY name")) {
        while (rows.next()) {
          things.add(rows.getString(1));
        }
      }
      return things;
    } catch (SQLException e) {
      throw new AppFailure(FailureCode.DATABASE_FAILED, String.valueOf(e.getMessage()), e);
    }
  }

  void add(DatabaseLink link, List<String> things) {
    try (Connection connection = server.connect(link);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS thing (name text)");
      for (String thing : things) {
        try (PreparedStatement insert =
            connection.prepareStatement("INSERT INTO thing VALUES (?)")) {
          insert.setString(1, thing);
          insert.execute();
        }
      }
    } catch (SQLException e) {
      throw new AppFailure(FailureCode.DATABASE_FAILED, String.valueOf(e.getMessage()), e);
    }
  }
}
