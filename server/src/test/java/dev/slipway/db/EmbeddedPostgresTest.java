package dev.slipway.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.slipway.core.TransientException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EmbeddedPostgresTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final Path folder = TestFolders.make();

  @AfterEach
  void deleteFolder() {
    TestFolders.delete(folder);
  }

  @Test
  void keepsItsDataOverARestart() throws Exception {
    try (EmbeddedPostgres first = EmbeddedPostgres.start(settings())) {
      execute(first.address(), "CREATE TABLE ship (name text); INSERT INTO ship VALUES ('Argo')");
    }
    try (EmbeddedPostgres second = EmbeddedPostgres.start(settings())) {
      assertThat(query(second.address(), "SELECT name FROM ship")).isEqualTo("Argo");
    }
  }

  @Test
  void endsItsProcessWhenStopped() {
    EmbeddedPostgres postgres = EmbeddedPostgres.start(settings());
    ProcessHandle postmaster = postmaster();
    postgres.stop();

    assertThat(processes().isOurs(postmaster)).isFalse();
    assertThat(EmbeddedPostgres.running(settings())).isEmpty();
    postgres.stop(); // a second time does no harm
  }

  @Test
  void runsInAUserNamespaceWhereThatAccountCannotReachTheFolder() throws Exception {
    assumeTrue(PostgresAccount.isRoot(), "needs root");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(settings())) {
      assertThat(Files.readString(Path.of("/proc/" + postmaster().pid() + "/uid_map")).strip())
          .startsWith("1000");
      assertThat(query(postgres.address(), "SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void goesOnWithTheFilesOfAnotherAccount() throws Exception {
    assumeTrue(PostgresAccount.isRoot(), "needs root");
    try (EmbeddedPostgres first = EmbeddedPostgres.start(settings())) {
      execute(first.address(), "CREATE TABLE ship (name text)");
    }
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    try (EmbeddedPostgres second = EmbeddedPostgres.start(settings())) {
      assertThat(query(second.address(), "SELECT count(*) FROM ship")).isEqualTo("0");
    }
  }

  @Test
  void runsDirectlyWhenWeAreAPlainUser() throws Exception {
    assumeTrue(PostgresAccount.isRoot(), "a plain user runs all other tests directly");
    try (Owner owner = Owner.start(folder, programs(), "unshare", "--user", "--map-user=1000")) {
      assertThat(owner.firstLine()).startsWith("jdbc:postgresql://127.0.0.1:");
      assertThat(query(runningAddress(), "SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void isStartedAgainOnTheSamePortAndLosesNothingWhenItIsKilled() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(durable());
        Database database = Database.connect(postgres.address())) {
      execute(postgres.address(), "CREATE TABLE ship (name text)");
      ProcessHandle killed = postmaster();
      killed.destroyForcibly();

      // The killed one's sessions answer for a moment more.
      assertThat(Pause.until(() -> runsInPlaceOf(killed) && answers(database), SOON)).isTrue();
      assertThat(query(postgres.address(), "SELECT count(*) FROM ship")).isEqualTo("0");
    }
  }

  @Test
  void endsTheSessionsThatAKilledPostmasterLeft() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(settings());
        Connection connection = connect(postgres.address());
        Statement statement = connection.createStatement()) {
      Thread busy =
          Thread.ofVirtual()
              .start(() ->
                  assertThatThrownBy(() ->
                      statement.execute(
                          "DO $$ BEGIN LOOP PERFORM md5(random()::text); END LOOP; END $$")));
      assertThat(Pause.until(() -> activeSessions(postgres.address()) > 0, SOON)).isTrue();
      postmaster().destroyForcibly();

      assertThat(Pause.until(() -> answers(postgres.address()), SOON)).isTrue();
      busy.join();
    }
  }

  @Test
  void endsWithTheProgramThatStartedItAndGoesOnInTheNext() throws Exception {
    try (Owner owner = Owner.start(folder, programs())) {
      owner.firstLine();
      execute(runningAddress(), "CREATE TABLE ship (name text); INSERT INTO ship VALUES ('Argo')");
      ProcessHandle postmaster = postmaster();
      owner.kill();

      assertThat(Pause.until(() -> !processes().isOurs(postmaster), SOON)).isTrue();
    }
    try (EmbeddedPostgres next = EmbeddedPostgres.start(settings())) {
      assertThat(query(next.address(), "SELECT name FROM ship")).isEqualTo("Argo");
    }
  }

  @Test
  void waitsForOneThatIsJustEnding() throws Exception {
    try (Owner owner = Owner.start(folder, programs())) {
      owner.firstLine();
      execute(runningAddress(), "CREATE TABLE ship (name text)");
      owner.kill();
      try (EmbeddedPostgres next = EmbeddedPostgres.start(settings())) {
        assertThat(Pause.until(() -> answers(next.address()), SOON)).isTrue();
      }
    }
  }

  @Test
  void takesOverOneThatStillRuns() throws Exception {
    PostgresLauncher.Running left = leaveOneRunning();
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(settings())) {
      assertThat(postgres.address()).isEqualTo(left.address());
      assertThat(postmaster().pid()).isEqualTo(left.process().pid());

      left.process().destroyForcibly();
      assertThat(Pause.until(() -> answers(postgres.address()), SOON)).isTrue();
    }
    assertThat(EmbeddedPostgres.running(settings())).isEmpty();
  }

  @Test
  void endsOneThatItTookOver() {
    PostgresLauncher.Running left = leaveOneRunning();
    EmbeddedPostgres.start(settings()).stop();

    assertThat(processes().isOurs(left.process())).isFalse();
  }

  @Test
  void doesNotTakeAStrangerWithItsNumberForItself() throws Exception {
    EmbeddedPostgres.start(settings()).stop();
    Path pidFile = settings().home().resolve("cluster").resolve("postmaster.pid");
    Files.writeString(
        pidFile,
        "%d\n%s\n0\n29999\n\n127.0.0.1\n1 1\nready   \n"
            .formatted(ProcessHandle.current().pid(), pidFile.getParent()));
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(settings())) {
      assertThat(query(postgres.address(), "SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void distrustsProgramsThatWereHalfUnpackedWhenItWasKilled() throws Exception {
    Path ownPrograms = folder.resolve("programs");
    try (Owner owner = Owner.start(folder, ownPrograms)) {
      assertThat(Pause.until(() -> hasUnfinished(ownPrograms), SOON)).isTrue();
      owner.kill();
    }
    assertSecondStartWorks(ownPrograms);
  }

  @Test
  void distrustsAClusterThatWasHalfMadeWhenItWasKilled() throws Exception {
    EmbeddedPostgres.start(settings()).stop(); // unpacks
    TestFolders.delete(settings().home());
    try (Owner owner = Owner.start(folder, programs())) {
      assertThat(Pause.until(() -> hasUnfinished(settings().home()), SOON)).isTrue();
      owner.kill();
    }
    assertSecondStartWorks(programs());
    assertThat(hasUnfinished(settings().home())).isFalse();
  }

  private void assertSecondStartWorks(Path programs) throws Exception {
    PostgresSettings second =
        new PostgresSettings(settings().home(), programs, settings().passwordFile(), false);
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(second)) {
      assertThat(query(postgres.address(), "SELECT 1")).isEqualTo("1");
    }
  }

  /** As if its server had been killed where {@code setpriv} knows no {@code --pdeathsig}. */
  private PostgresLauncher.Running leaveOneRunning() {
    Folders.create(settings().home(), "rwx--x--x");
    return new PostgresLauncher(settings()).start(settings().port());
  }

  private PostgresSettings settings() {
    return TestFolders.settings(folder);
  }

  private PostgresSettings durable() {
    return new PostgresSettings(settings().home(), programs(), settings().passwordFile(), true);
  }

  private Path programs() {
    return settings().binaries();
  }

  private StoreAddress runningAddress() {
    return EmbeddedPostgres.running(settings()).orElseThrow();
  }

  private PostgresProcesses processes() {
    return new PostgresProcesses(settings().home().resolve("cluster"));
  }

  private ProcessHandle postmaster() {
    return processes().postmaster().orElseThrow().process();
  }

  private boolean runsInPlaceOf(ProcessHandle killed) {
    return processes()
        .postmaster()
        .filter(found -> found.process().pid() != killed.pid())
        .isPresent();
  }

  private static boolean hasUnfinished(Path parent) {
    String[] names = parent.toFile().list((_, name) -> name.startsWith(Folders.UNFINISHED));
    return names != null && names.length > 0;
  }

  private static boolean answers(Database database) {
    try {
      return database.read(handle -> handle.select("SELECT 1").mapTo(int.class).one()) == 1;
    } catch (TransientException e) {
      return false;
    }
  }

  private static boolean answers(StoreAddress address) {
    try {
      return query(address, "SELECT 1").equals("1");
    } catch (SQLException e) {
      return false;
    }
  }

  private static int activeSessions(StoreAddress address) {
    try {
      return Integer.parseInt(
          query(
              address,
              "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'DO %' AND state = 'active'"));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Connection connect(StoreAddress address) throws SQLException {
    return DriverManager.getConnection(address.jdbcUrl(), address.connectionProperties("test"));
  }

  private static void execute(StoreAddress address, String sql) throws SQLException {
    try (Connection connection = connect(address);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(StoreAddress address, String sql) throws SQLException {
    try (Connection connection = connect(address);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }

  /** Another JVM that owns the cluster. */
  private record Owner(Process process) implements AutoCloseable {
    static Owner start(Path folder, Path programs, String... prefix) throws IOException {
      List<String> arguments = new ArrayList<>(List.of(prefix));
      arguments.addAll(
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "--enable-native-access=ALL-UNNAMED",
              "-cp",
              System.getProperty("java.class.path"),
              PostgresOwner.class.getName(),
              folder.toString(),
              programs.toString()));
      return new Owner(
          new ProcessBuilder(arguments).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    /** Returns when the cluster runs. */
    String firstLine() throws IOException {
      BufferedReader lines = process.inputReader();
      return String.valueOf(lines.readLine());
    }

    void kill() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }

    /** In peace, unless it was killed before. */
    @Override
    public void close() throws IOException {
      process.getOutputStream().close();
      process.onExit().join();
    }
  }
}
