package dev.slipway.source.git;

import dev.slipway.source.FetchCount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.eclipse.jgit.errors.NoRemoteRepositoryException;
import org.eclipse.jgit.errors.RepositoryNotFoundException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.transport.URIish;

/**
 * A bare repository on this machine: it is read where it lies, nothing is copied.
 *
 * @param count of its large files
 */
record FolderOrigin(Path directory, FetchCount count) implements Origin {
  @Override
  public Map<String, ObjectId> branches() throws IOException {
    try (Repository repository = open()) {
      Map<String, ObjectId> branches = new TreeMap<>();
      for (Ref ref : repository.getRefDatabase().getRefsByPrefix(Constants.R_HEADS)) {
        branches.put(Repository.shortenRefName(ref.getName()), ref.getObjectId());
      }
      return branches;
    }
  }

  @Override
  public Repository history(String branch, Path scratch) throws IOException {
    return open();
  }

  @Override
  public Repository commit(Optional<String> branch, String sha, Path scratch) throws IOException {
    return open();
  }

  @Override
  public int lastStatus() {
    return 0;
  }

  @Override
  public LargeFiles largeFiles() {
    return new LargeFilesInFolder(directory.resolve("lfs").resolve("objects"), count);
  }

  private Repository open() throws IOException {
    try {
      return new FileRepositoryBuilder()
          .setGitDir(directory.toFile())
          .setBare()
          .setMustExist(true)
          .build();
    } catch (RepositoryNotFoundException e) {
      throw new NoRemoteRepositoryException(new URIish(directory.toUri().toURL()), "not there", e);
    }
  }
}
