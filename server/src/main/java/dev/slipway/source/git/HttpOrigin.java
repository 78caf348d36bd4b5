package dev.slipway.source.git;

import static org.eclipse.jgit.lib.ConfigConstants.CONFIG_GC_SECTION;
import static org.eclipse.jgit.lib.ConfigConstants.CONFIG_KEY_AUTO;
import static org.eclipse.jgit.lib.ConfigConstants.CONFIG_KEY_AUTODETACH;
import static org.eclipse.jgit.lib.Constants.R_HEADS;

import dev.slipway.core.AppFailure;
import dev.slipway.core.Secret;
import dev.slipway.source.FetchCount;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.eclipse.jgit.errors.TransportException;
import org.eclipse.jgit.lib.EmptyProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.transport.FetchConnection;
import org.eclipse.jgit.transport.FilterSpec;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.TagOpt;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.transport.TransportHttp;
import org.eclipse.jgit.transport.URIish;

/** One repository on an HTTP host, for one call of {@link GitSource}. */
final class HttpOrigin implements Origin {
  /** For the connection, and for each wait for more bytes. */
  private static final int TIMEOUT_SECONDS = 30;

  private static final RefSpec ALL_BRANCHES = new RefSpec(R_HEADS + "*:" + R_HEADS + "*");
  private static final String LOCAL_REF = "refs/heads/deploy";

  /** What a fetch brings of the history, and of the trees and files. */
  private enum Extent {
    /** One commit with its files. */
    COMMIT,
    /** The whole branch with the files of all its commits. */
    BRANCH,
    /** The whole branch, commits only where the server can filter. */
    HISTORY
  }

  private final URI address;
  private final Optional<Secret> token;
  private final FetchCount count;
  private final HostConnections connections;

  HttpOrigin(URI address, Optional<Secret> token, FetchCount count) {
    this.address = address;
    this.token = token;
    this.count = count;
    this.connections = new HostConnections(address, token, count);
  }

  @Override
  public int lastStatus() {
    return connections.lastStatus();
  }

  @Override
  public Map<String, ObjectId> branches() throws IOException {
    try (Transport transport = open(Transport.open(uri()));
        FetchConnection connection = transport.openFetch(List.of(ALL_BRANCHES))) {
      Map<String, ObjectId> branches = new TreeMap<>();
      Collection<Ref> refs = connection.getRefs();
      for (Ref ref : refs) {
        if (ref.getName().startsWith(R_HEADS)) {
          branches.put(Repository.shortenRefName(ref.getName()), ref.getObjectId());
        }
      }
      return branches;
    }
  }

  @Override
  public Repository history(String branch, Path scratch) throws IOException {
    return fetched(
        scratch,
        repository ->
            fetchElse(repository, head(branch), Extent.HISTORY, Optional.of(head(branch))));
  }

  @Override
  public Repository commit(Optional<String> branch, String sha, Path scratch) throws IOException {
    return fetched(
        scratch,
        // Some servers hand out the heads of branches only: the commit may be below this one.
        repository ->
            fetchElse(repository, deploy(sha), Extent.COMMIT, branch.map(HttpOrigin::head)));
  }

  @Override
  public LargeFiles largeFiles() {
    return new LargeFilesOnServer(address, token, count);
  }

  private static RefSpec head(String branch) {
    return deploy(R_HEADS + branch);
  }

  /**
   * @param wanted a full commit id, or the full name of a branch
   */
  private static RefSpec deploy(String wanted) {
    return new RefSpec("+" + wanted + ":" + LOCAL_REF);
  }

  /** The whole branch where the server answers, but refuses what is wanted. */
  private void fetchElse(Repository into, RefSpec wanted, Extent extent, Optional<RefSpec> branch)
      throws IOException {
    try {
      fetch(into, wanted, extent);
    } catch (IOException refused) {
      if (branch.isEmpty() || lastStatus() != HttpURLConnection.HTTP_OK) {
        throw refused;
      }
      fetch(into, branch.get(), Extent.BRANCH);
    }
  }

  private interface Fetch {
    void into(Repository repository) throws IOException;
  }

  private static Repository fetched(Path scratch, Fetch fetch) throws IOException {
    Repository repository =
        new FileRepositoryBuilder().setGitDir(scratch.toFile()).setBare().build();
    try {
      repository.create(true);
      // It is deleted in a moment, and JGit would look in the background whether to tidy it.
      repository.getConfig().setInt(CONFIG_GC_SECTION, null, CONFIG_KEY_AUTO, 0);
      repository.getConfig().setBoolean(CONFIG_GC_SECTION, null, CONFIG_KEY_AUTODETACH, false);
      fetch.into(repository);
      return repository;
    } catch (IOException | RuntimeException e) {
      repository.close();
      throw e;
    }
  }

  private void fetch(Repository into, RefSpec wanted, Extent extent) throws IOException {
    try (Transport transport = open(Transport.open(into, uri()))) {
      transport.setTagOpt(TagOpt.NO_TAGS);
      if (extent == Extent.COMMIT) {
        transport.setDepth(1);
      } else if (extent == Extent.HISTORY) {
        transport.setFilterSpec(FilterSpec.fromFilterLine("tree:0"));
      }
      transport.fetch(new StopOnInterrupt(), List.of(wanted));
    } catch (TransportException e) {
      throw overLimit(e).orElseThrow(() -> e);
    }
  }

  /** What counting ended is not asked for in another way. */
  private static Optional<AppFailure> overLimit(TransportException wrapped) {
    for (Throwable at = wrapped; at != null; at = at.getCause()) {
      if (at instanceof AppFailure failure) {
        return Optional.of(failure);
      }
    }
    return Optional.empty();
  }

  private Transport open(Transport transport) {
    transport.setTimeout(TIMEOUT_SECONDS);
    ((TransportHttp) transport).setHttpConnectionFactory(connections);
    return transport;
  }

  private URIish uri() throws TransportException {
    try {
      return new URIish(address.toString());
    } catch (URISyntaxException e) {
      throw new TransportException("not an address: " + address, e);
    }
  }

  /** Between two reads JGit asks its monitor whether to go on. */
  private static final class StopOnInterrupt extends EmptyProgressMonitor {
    @Override
    public boolean isCancelled() {
      return Thread.currentThread().isInterrupted();
    }
  }
}
