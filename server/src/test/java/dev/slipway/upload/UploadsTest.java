package dev.slipway.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.AccountId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.Eventually;
import dev.slipway.core.RequestException;
import dev.slipway.core.UploadId;
import dev.slipway.db.FileHold;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.Plane;
import dev.slipway.deployment.Trigger;
import dev.slipway.deployment.Wanted;
import dev.slipway.framework.Overrides;
import dev.slipway.migration.Migration;
import dev.slipway.migration.MigrationService;
import dev.slipway.project.Previews;
import dev.slipway.project.Project;
import dev.slipway.project.Settings;
import dev.slipway.source.WideLimit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UploadsTest {
  private final Plane plane = new Plane(new Plane.Settings(2, 100, false));
  private final Path directory = plane.directory.resolve("uploads");

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void whatCameWholeIsKeptWithItsDigest() throws IOException {
    Upload upload = upload("text");

    assertThat(upload.sizeBytes()).isEqualTo(4);
    assertThat(upload.sha256())
        .isEqualTo("982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1");
    assertThat(upload.name()).isEqualTo("shop.zip");
    assertThat(upload.keptUntil()).isEqualTo(plane.clock.instant().plus(Duration.ofHours(24)));
    assertThat(files()).containsExactly(upload.id() + ".zip");
  }

  @Test
  void whatDidNotComeWholeLeavesNothing() throws IOException {
    try (Incoming incoming = plane.uploads.receive(plane.account, OptionalLong.empty())) {
      incoming.write(bytes("half"));
      assertThatThrownBy(incoming::sha256).isInstanceOf(IllegalStateException.class);
      assertThat(files()).hasSize(1);
    }
    assertThat(files()).isEmpty();
    assertThat(plane.count("upload")).isZero();
  }

  @Test
  void anEmptyOneIsRefused() {
    try (Incoming incoming = plane.uploads.receive(plane.account, OptionalLong.of(0))) {
      assertCode(ErrorCode.INVALID_REQUEST, incoming::finish);
    }
  }

  @Test
  void moreThanIsAllowedIsRefusedByWhatIsAnnouncedAndByWhatComes() {
    int most = Plane.MAX_UPLOAD_BYTES;
    assertCode(
        ErrorCode.PAYLOAD_TOO_LARGE,
        () -> plane.uploads.receive(plane.account, OptionalLong.of(most + 1L)));
    try (Incoming incoming = plane.uploads.receive(plane.account, OptionalLong.empty())) {
      incoming.write(ByteBuffer.allocate(most));
      assertCode(ErrorCode.PAYLOAD_TOO_LARGE, () -> incoming.write(ByteBuffer.allocate(1)));
    }
  }

  @Test
  void aDiskWithoutRoomTakesNoneIn() throws IOException {
    Uploads full =
        new Uploads(
            plane.database,
            new UploadStore(),
            new UploadRoom(directory, 1, 1, Long.MAX_VALUE),
            WideLimit.below(plane.directory),
            plane.clock);

    assertCode(ErrorCode.UNAVAILABLE, () -> full.receive(plane.account, OptionalLong.empty()));
    assertThat(files()).isEmpty();
  }

  @Test
  void anAccountThatUsesNoneOfItsArchivesMayNotUploadWithoutEnd() throws IOException {
    Uploads bounded = bounded(10);
    Upload first = upload(bounded, plane.account, "12345678");

    assertCode(
        ErrorCode.CONFLICT, () -> bounded.receive(plane.account, OptionalLong.of(3)).close());
    try (Incoming incoming = bounded.receive(plane.account, OptionalLong.empty())) {
      incoming.write(bytes("abc"));
      assertThatThrownBy(incoming::finish).hasMessageContaining("limits.unused_uploads_bytes");
    }
    upload(bounded, plane.addAccount(), "1234567890");

    migrated(first);
    upload(bounded, plane.account, "1234567890");
    plane.clock.advance(Duration.ofHours(24));
    bounded.collect();
    upload(bounded, plane.account, "1234567890");
  }

  @Test
  void archivesThatComeAtTheSameTimeAreCountedTogether() {
    Uploads bounded = bounded(10);
    try (Incoming one = bounded.receive(plane.account, OptionalLong.of(6));
        Incoming other = bounded.receive(plane.account, OptionalLong.empty())) {
      assertCode(
          ErrorCode.CONFLICT, () -> bounded.receive(plane.account, OptionalLong.of(6)).close());
      other.write(bytes("12345"));
      assertCode(ErrorCode.CONFLICT, other::finish);
      one.write(bytes("123456"));
    }
    upload(bounded, plane.account, "1234567890");
  }

  private Uploads bounded(long maxUnusedBytes) {
    return new Uploads(
        plane.database,
        new UploadStore(),
        new UploadRoom(directory, Plane.MAX_UPLOAD_BYTES, maxUnusedBytes, 0),
        WideLimit.below(plane.directory),
        plane.clock);
  }

  @Test
  void anUploadIsItsAccountsAlone() {
    Upload upload = upload("text");
    AccountId other = plane.addAccount();

    assertCode(ErrorCode.FORBIDDEN, () -> use(other, upload.id()));
    assertCode(ErrorCode.NOT_FOUND, () -> use(plane.account, UploadId.next()));
    assertThat(use(plane.account, upload.id())).isEqualTo(upload);
  }

  @Test
  void whatNothingHasUsedIsGoneAfterADay() throws IOException {
    Upload upload = upload("text");
    plane.clock.advance(Duration.ofHours(24).minusSeconds(1));
    plane.uploads.collect();
    assertThat(files()).hasSize(1);

    plane.clock.advance(Duration.ofSeconds(1));
    plane.uploads.collect();
    assertThat(files()).isEmpty();
    assertCode(ErrorCode.NOT_FOUND, () -> use(plane.account, upload.id()));
  }

  @Test
  void nothingIsDeletedWhileABackupCopiesIt() throws IOException {
    Upload upload = upload("text");
    plane.clock.advance(Duration.ofHours(25));

    try (FileHold _ = FileHold.acquire(plane.database.address())) {
      plane.uploads.collect();
      assertThat(files()).containsExactly(upload.id() + ".zip");
    }
    plane.uploads.collect();
    assertThat(files()).isEmpty();
  }

  @Test
  void whatIsBeingUsedWhileOthersAreDeletedStays() throws Exception {
    Upload upload = upload("text");
    plane.clock.advance(Duration.ofDays(2));
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Future<?> collecting =
          plane.database.inTransaction(tx -> {
            plane.uploads.use(tx, plane.account, upload.id());
            Future<?> waiting = other.submit(plane.uploads::collect);
            Eventually.holds("it waits for this transaction", () -> plane.waitingForLocks() > 0);
            return waiting;
          });
      collecting.get();
    }
    assertThat(files()).containsExactly(upload.id() + ".zip");
    assertThat(plane.count("upload")).isEqualTo(1);
  }

  @Test
  void whatAProjectMayDeployAgainStays() throws IOException {
    Upload upload = upload("text");
    Project project = migrated(upload);
    afterYears();
    assertThat(files()).containsExactly(upload.id() + ".zip");

    plane.main.projects.delete(plane.account, project.id(), false);
    plane.main.jobs.runDue();
    afterYears();
    assertThat(files()).isEmpty();
  }

  @Test
  void theSourceOfEveryKeptReleaseStaysAndOfPrunedOnesGoes() throws IOException {
    Upload first = upload("1");
    Project project = migrated(first);
    Upload second = deployed(project, "2");
    afterYears();
    assertThat(files()).containsExactlyInAnyOrder(first.id() + ".zip", second.id() + ".zip");

    Upload third = deployed(project, "3");
    afterYears();
    assertThat(files()).containsExactlyInAnyOrder(second.id() + ".zip", third.id() + ".zip");
  }

  @Test
  void whatWaitsToBeBuiltStays() throws IOException {
    Project project = migrated(upload("1"));
    Upload waiting = upload("2");
    trigger(project, Optional.of(waiting.id()));
    Upload latest = upload("3");
    trigger(project, Optional.of(latest.id()));
    afterYears();

    assertThat(files()).hasSize(3).contains(waiting.id() + ".zip", latest.id() + ".zip");
  }

  @Test
  void aFileThatNoUploadWasMadeOfIsDeletedUnlessItIsOnItsWay() throws IOException {
    Files.writeString(directory.resolve(UploadId.next() + ".partial"), "killed");
    Files.writeString(directory.resolve(UploadId.next() + ".zip"), "not committed");
    try (Incoming incoming = plane.uploads.receive(plane.account, OptionalLong.empty())) {
      plane.uploads.collect();
      assertThat(files()).hasSize(1);

      incoming.write(bytes("text"));
      incoming.finish();
      plane.uploads.keep(plane.account, incoming, Optional.empty());
      plane.uploads.collect();
      assertThat(files()).hasSize(1);
    }
    plane.uploads.collect();
    assertThat(files()).hasSize(1);
  }

  private Upload upload(String text) {
    return upload(plane.uploads, plane.account, text);
  }

  private static Upload upload(Uploads uploads, AccountId account, String text) {
    try (Incoming incoming = uploads.receive(account, OptionalLong.of(text.length()))) {
      incoming.write(bytes(text));
      incoming.finish();
      return uploads.keep(account, incoming, Optional.of("shop.zip"));
    }
  }

  private Upload use(AccountId account, UploadId id) {
    return plane.database.inTransaction(tx -> plane.uploads.use(tx, account, id));
  }

  private Project migrated(Upload upload) {
    Migration migration =
        plane.main.migrations.create(
            plane.account,
            new MigrationService.Request(
                Project.ZIP,
                Optional.empty(),
                Optional.of(upload.id()),
                EnvVars.NONE,
                Optional.empty(),
                Optional.empty(),
                Plane.REGION,
                Optional.empty(),
                new Settings(
                    Optional.empty(),
                    Plane.INSTANCE_TYPE,
                    1,
                    true,
                    Previews.UNLISTED,
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    Overrides.NONE)),
            Optional.empty());
    plane.main.jobs.runDue();
    return plane.main.projects.get(plane.account, migration.projectId());
  }

  private Upload deployed(Project project, String text) {
    Upload upload = upload(text);
    trigger(project, Optional.of(upload.id()));
    plane.main.jobs.runDue();
    return upload;
  }

  private Deployment trigger(Project project, Optional<UploadId> upload) {
    plane.clock.advance(Duration.ofSeconds(1));
    return plane
        .main
        .service()
        .trigger(
            plane.account,
            project.id(),
            new Wanted(Optional.empty(), upload, false),
            EnvVars.NONE,
            Trigger.API);
  }

  private void afterYears() {
    plane.clock.advance(Duration.ofDays(1000));
    plane.uploads.collect();
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void assertCode(ErrorCode code, ThrowingCallable call) {
    assertThat(catchThrowableOfType(RequestException.class, call).code()).isEqualTo(code);
  }
}
