package dev.slipway.source.git;

import dev.slipway.source.FetchCount;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The large files of a bare repository on this machine, where git-lfs puts them.
 *
 * @param objects {@code <repository>/lfs/objects}
 */
record LargeFilesInFolder(Path objects, FetchCount count) implements LargeFiles {
  @Override
  public Map<LfsPointer, String> download(Collection<LfsPointer> wanted, Path directory)
      throws IOException {
    Map<LfsPointer, String> missing = new HashMap<>();
    for (LfsPointer pointer : wanted) {
      String oid = pointer.oid();
      Path object = objects.resolve(oid.substring(0, 2)).resolve(oid.substring(2, 4)).resolve(oid);
      try (InputStream content = Files.newInputStream(object)) {
        if (!CheckedFile.write(content, pointer, directory, count)) {
          missing.put(pointer, "what the repository keeps for it is another file");
        }
      } catch (NoSuchFileException e) {
        missing.put(pointer, "the repository does not hold it; push it with git lfs push --all");
      }
    }
    return missing;
  }
}
