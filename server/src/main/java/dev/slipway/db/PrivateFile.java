package dev.slipway.db;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

/** Files that only the server's own user reads. */
public final class PrivateFile {
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private PrivateFile() {}

  /** Whole or not at all, on disk when this returns; the folder is made, mode 0700. */
  public static void write(Path file, String text) throws IOException {
    Path folder = Objects.requireNonNull(file.getParent(), "a file below a folder");
    if (!Files.isDirectory(folder)) {
      Folders.create(folder, "rwx------");
    }
    Path unfinished = folder.resolve(Folders.UNFINISHED + file.getFileName());
    Files.deleteIfExists(unfinished);
    try (FileChannel channel =
        FileChannel.open(
            unfinished,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            OWNER_ONLY)) {
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
      channel.force(true);
    }
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    Folders.sync(folder);
  }
}
