package dev.slipway.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.AppFailure;
import dev.slipway.core.Eventually;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Secret;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every kind of dumps has to do, with real servers and the real programs. */
@Timeout(120)
public abstract class DumpsContract {
  /** With what text can hold, and what has to be quoted. */
  protected static final String NAME = "Ärgö 船 🚀 'quoted' \\back \"double\"";

  protected Path directory;
  protected DumpRuns runs;
  protected final List<String> said = Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void prepare() throws Exception {
    directory = Files.createTempDirectory("dumps-").toRealPath();
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    runs = new DumpRuns(Sandbox.strongest(directory), directory.resolve("runs"));
  }

  @AfterEach
  void nothingStays() throws IOException {
    try (Stream<Path> left = Files.list(directory.resolve("runs"))) {
      assertThat(left).isEmpty();
    }
    Trees.delete(directory);
  }

  protected abstract Dumps dumps() throws Exception;

  /** An empty database on the server that is copied from. */
  protected abstract DatabaseLink source() throws SQLException;

  /** An empty database of another owner, on the server that is copied to. */
  protected abstract DatabaseLink target() throws SQLException;

  protected abstract Connection connect(DatabaseLink link) throws SQLException;

  /**
   * Makes a table {@code ship (id, name, cargo)} with ids that count by themselves and arbitrary
   * bytes as cargo, {@code voyage (ship)} that refers to it, a view {@code fleet} of the names of
   * ships, a function {@code oars(integer)} that answers twice as many, and a trigger that adds a
   * voyage for each ship.
   */
  protected abstract List<String> schema();

  /** So that reading {@code ship} waits for as long as the connection is open. */
  protected abstract String lock();

  @Test
  void aCopyHasAllThatTheSourceHas() throws Exception {
    DatabaseLink source = filled();
    DatabaseLink target = target();

    dumps().copy(source, target, said::add);

    requireFilled(target);
    assertThat(said).isNotEmpty().last().asString().contains("copied");
  }

  @Test
  void aBackupIsAFileOfOursAloneAndIsRestoredUnderAnotherOwner() throws Exception {
    DatabaseLink source = filled();
    Path file = directory.resolve("one.dump");
    long bytes = dumps().backup(source, file, said::add);

    assertThat(file).hasSize(bytes);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    DatabaseLink target = target();
    dumps().restore(file, target, said::add);
    requireFilled(target);
  }

  @Test
  void anInterruptedCopyEndsAtOnceAndLeavesNoProcess() throws Exception {
    DatabaseLink source = filled();
    DatabaseLink target = target();
    Dumps dumps = dumps();
    List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
    try (Connection locking = connect(source)) {
      locking.setAutoCommit(false);
      execute(locking, lock());
      Thread copying =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  dumps.copy(source, target, said::add);
                } catch (InterruptedException | RuntimeException e) {
                  thrown.add(e);
                }
              });
      Eventually.holds("both programs run", () -> running() == 2);
      copying.interrupt();
      copying.join();
    }
    assertThat(thrown).singleElement().isInstanceOf(InterruptedException.class);
    assertThat(running()).isZero();
  }

  @Test
  void aBackupThatFailsLeavesNoFile() throws Exception {
    DatabaseLink source = filled();
    Path file = directory.resolve("one.dump");
    DatabaseLink wrong =
        new DatabaseLink(
            source.place(),
            new DatabaseLogin(source.login().user(), new Secret("not-the-password")));

    AppFailure failure =
        catchThrowableOfType(AppFailure.class, () -> dumps().backup(wrong, file, said::add));

    assertThat(failure.failure().code()).isEqualTo(FailureCode.DATABASE_FAILED);
    assertThat(failure.failure().message()).doesNotContain("not-the-password");
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).noneMatch(path -> path.getFileName().toString().contains("one.dump"));
    }
  }

  @Test
  void whatTheTargetRefusesIsSaidInItsWords() throws Exception {
    DatabaseLink source = filled();
    DatabaseLink target = target();
    try (Connection connection = connect(target)) {
      for (String statement : schema()) {
        execute(connection, statement);
      }
    }

    assertThatThrownBy(() -> dumps().copy(source, target, said::add))
        .isInstanceOf(AppFailure.class)
        .hasMessageContaining("already exists");
  }

  @Test
  void aFileThatIsNoDumpIsRefused() throws Exception {
    Path file = Files.writeString(directory.resolve("one.dump"), "not a dump at all\n");

    assertThatThrownBy(() -> dumps().restore(file, target(), said::add))
        .isInstanceOf(AppFailure.class);
  }

  /** How many programs there are. */
  private int running() {
    try (Stream<Path> found = Files.list(directory.resolve("runs"))) {
      return (int) found.filter(run -> Files.exists(run.resolve("child"))).count();
    } catch (IOException e) {
      return 0;
    }
  }

  protected final DatabaseLink filled() throws SQLException {
    DatabaseLink link = source();
    try (Connection connection = connect(link)) {
      for (String statement : schema()) {
        execute(connection, statement);
      }
      add(connection, NAME);
      add(connection, "Pinta");
    }
    return link;
  }

  private void requireFilled(DatabaseLink link) throws SQLException {
    try (Connection connection = connect(link)) {
      assertThat(read(connection, "SELECT name FROM fleet ORDER BY name"))
          .containsExactlyInAnyOrder(NAME, "Pinta");
      assertThat(read(connection, "SELECT oars(21)")).containsExactly("42");
      assertThat(cargo(connection)).isEqualTo(allBytes());
      assertThat(read(connection, "SELECT count(*) FROM voyage")).containsExactly("2");
      add(connection, "Niña");
      assertThat(read(connection, "SELECT ship FROM voyage ORDER BY ship"))
          .containsExactly("1", "2", "3");
      execute(connection, "ALTER TABLE voyage ADD COLUMN days integer");
      execute(connection, "DROP VIEW fleet");
    }
  }

  private static void add(Connection connection, String name) throws SQLException {
    try (var statement =
        connection.prepareStatement("INSERT INTO ship (name, cargo) VALUES (?, ?)")) {
      statement.setString(1, name);
      statement.setBytes(2, allBytes());
      statement.executeUpdate();
    }
  }

  private static byte[] cargo(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT cargo FROM ship WHERE id = 1")) {
      rows.next();
      return rows.getBytes(1);
    }
  }

  private static byte[] allBytes() {
    byte[] bytes = new byte[256];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  protected static void execute(Connection connection, String sql) throws SQLException {
    DatabaseServerContract.execute(connection, sql);
  }

  protected static List<String> read(Connection connection, String sql) throws SQLException {
    return DatabaseServerContract.read(connection, sql);
  }
}
