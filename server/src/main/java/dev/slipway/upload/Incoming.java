package dev.slipway.upload;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.UploadId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * An archive on its way in: written to a file as it comes, its digest counted on the way. Closing
 * it leaves nothing behind, unless {@link Uploads#keep} has made an upload of it. One thread at a
 * time.
 */
public final class Incoming implements AutoCloseable {
  private static final long CHECK_EVERY = 16L << 20;

  private final UploadId id;
  private final Path file;
  private final UploadRoom room;
  private final Shares.Share share;
  private final FileChannel channel;
  private final MessageDigest digest = newDigest();
  private long bytes;
  private String hex = "";

  /**
   * @param file does not exist yet
   * @param share is told how much has come, and closed when this is over
   */
  Incoming(UploadId id, Path file, UploadRoom room, Shares.Share share) {
    this.id = id;
    this.file = file;
    this.room = room;
    this.share = share;
    try {
      channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException("an upload cannot be written to " + file, e);
    }
  }

  /**
   * Takes the next bytes; blocks on the disk.
   *
   * @throws RequestException as {@link Uploads#receive}
   */
  public void write(ByteBuffer piece) {
    long before = bytes;
    bytes += piece.remaining();
    room.requireSize(bytes);
    if (before / CHECK_EVERY != bytes / CHECK_EVERY) {
      room.requireDisk(0);
      share.grow(bytes);
    }
    digest.update(piece.duplicate());
    try {
      while (piece.hasRemaining()) {
        channel.write(piece);
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /**
   * Says that all of it has come; returns when it is on the disk for good.
   *
   * @throws RequestException {@code INVALID_REQUEST} where nothing came; {@code CONFLICT} as {@link
   *     Uploads#receive}
   */
  public void finish() {
    if (bytes == 0) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST, "The body is empty: send the archive as it is.");
    }
    share.grow(bytes);
    try {
      channel.force(true);
      channel.close();
    } catch (IOException e) {
      throw failed(e);
    }
    hex = HexFormat.of().formatHex(digest.digest());
  }

  /** 64 hex digits, once it is finished. */
  public String sha256() {
    if (hex.isEmpty()) {
      throw new IllegalStateException("upload " + id + " has not come whole");
    }
    return hex;
  }

  UploadId id() {
    return id;
  }

  Path file() {
    return file;
  }

  long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    try {
      channel.close();
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("deleting " + file + " failed", e);
    } finally {
      share.close();
    }
  }

  /** A disk that is full says so by an error of its own, whatever was free a moment ago. */
  private RuntimeException failed(IOException e) {
    room.requireDisk(0);
    return new UncheckedIOException("writing to " + file + " failed", e);
  }

  private static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
