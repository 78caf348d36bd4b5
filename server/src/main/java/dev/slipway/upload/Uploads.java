package dev.slipway.upload;

import dev.slipway.core.AccountId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.UploadId;
import dev.slipway.db.Database;
import dev.slipway.db.FileHold;
import dev.slipway.source.Commit;
import dev.slipway.source.FetchLimit;
import dev.slipway.source.Source;
import dev.slipway.source.zip.ZipSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * The archives that were uploaded: a row and a file each. A row without its file is possible only
 * where somebody deleted the file; a file without a row is deleted by {@link #collect}.
 * Thread-safe.
 */
public final class Uploads {
  /** For how long one stays that nothing has used. */
  private static final Duration UNUSED = Duration.ofHours(24);

  /** How long after its last use it is left alone: a transaction that names it may be under way. */
  private static final Duration USED = Duration.ofHours(1);

  private static final String PARTIAL_SUFFIX = ".partial";

  private final Database database;
  private final UploadStore store;
  private final UploadRoom room;
  private final FetchLimit unpacking;
  private final Clock clock;
  private final Shares shares;

  /**
   * @param room its directory is made where it is missing
   * @param unpacking what an archive may take when it is deployed
   */
  public Uploads(
      Database database, UploadStore store, UploadRoom room, FetchLimit unpacking, Clock clock) {
    this.database = database;
    this.store = store;
    this.room = room;
    this.unpacking = unpacking;
    this.clock = clock;
    this.shares = new Shares(database, store, room.maxUnusedBytes());
    try {
      Files.createDirectories(
          room.directory(),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new UncheckedIOException("the uploads in " + room.directory() + " cannot be opened", e);
    }
  }

  /**
   * Begins to take an archive in.
   *
   * @param announced how many bytes the client says will come
   * @throws RequestException {@code PAYLOAD_TOO_LARGE}, {@code UNAVAILABLE} where the disk is full,
   *     {@code CONFLICT} where the account has too many that nothing uses
   */
  public Incoming receive(AccountId account, OptionalLong announced) {
    room.requireSize(announced.orElse(0));
    room.requireDisk(announced.orElse(0));
    UploadId id = UploadId.next();
    Shares.Share share = shares.begin(id, account, announced.orElse(0));
    try {
      return new Incoming(id, room.directory().resolve(id + PARTIAL_SUFFIX), room, share);
    } catch (RuntimeException e) {
      share.close();
      throw e;
    }
  }

  /**
   * Makes an upload of what came in whole.
   *
   * @param name what the client called the file
   */
  public Upload keep(AccountId account, Incoming incoming, Optional<String> name) {
    Instant now = clock.instant();
    Upload upload =
        new Upload(
            incoming.id(),
            account,
            incoming.bytes(),
            incoming.sha256(),
            name.orElse("upload"),
            now,
            now.plus(UNUSED));
    // The file first: a row promises one.
    try {
      Files.move(incoming.file(), file(upload.id()), StandardCopyOption.ATOMIC_MOVE);
      try (FileChannel names = FileChannel.open(room.directory(), StandardOpenOption.READ)) {
        names.force(true);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("keeping upload " + upload.id() + " failed", e);
    }
    database.useTransaction(tx -> store.insert(tx, upload));
    return upload;
  }

  /**
   * The account's upload, for the project or deployment that the transaction is about to write:
   * what names it keeps it from now on.
   *
   * @throws RequestException {@code NOT_FOUND}, also where it has expired; {@code FORBIDDEN}
   */
  public Upload use(Handle tx, AccountId account, UploadId id) {
    Upload upload = own(tx, account, id);
    if (!store.used(tx, id, clock.instant().plus(USED))) {
      throw unknown(id);
    }
    return upload;
  }

  /** What a deployment is made of. */
  public Source source(UploadId id, Commit commit) {
    return new ZipSource(file(id), commit, unpacking);
  }

  /**
   * The account's upload, to look into: that does not keep it.
   *
   * @throws RequestException {@code NOT_FOUND}, also where it has expired; {@code FORBIDDEN}
   */
  public Source source(AccountId account, UploadId id) {
    Upload upload = database.read(tx -> own(tx, account, id));
    return source(id, upload.commit());
  }

  // Loaded by id and then checked: what exists in another account is forbidden, not unknown.
  private Upload own(Handle tx, AccountId account, UploadId id) {
    Upload upload = store.find(tx, id).orElseThrow(() -> unknown(id));
    if (!upload.accountId().equals(account)) {
      throw new RequestException(
          ErrorCode.FORBIDDEN, "This key has no access to upload %s.".formatted(id));
    }
    return upload;
  }

  /** Deletes what nothing needs, rows first, and what an upload that was cut off left. */
  public void collect() {
    List<Path> files = files().filter(file -> !shares.isUnderway(idOf(file))).toList();
    Set<String> known =
        database.inTransaction(tx -> {
          store.forget(tx, clock.instant());
          return store.all(tx);
        });
    if (FileHold.isHeld(database)) {
      return; // What a backup copies is deleted the next time.
    }
    for (Path file : files) {
      if (!file.equals(file(idOf(file))) || !known.contains(idOf(file).value())) {
        delete(file);
      }
    }
  }

  private static RequestException unknown(UploadId id) {
    return new RequestException(
        ErrorCode.NOT_FOUND,
        "There is no upload %s; one that is not used within 24 hours is deleted.".formatted(id));
  }

  private Path file(UploadId id) {
    return room.directory().resolve(id + ".zip");
  }

  private static UploadId idOf(Path file) {
    return new UploadId(file.getFileName().toString().replaceFirst("\\..*", ""));
  }

  private Stream<Path> files() {
    try (Stream<Path> files = Files.list(room.directory())) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + room.directory() + " failed", e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("deleting " + file + " failed", e);
    }
  }
}
