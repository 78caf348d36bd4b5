package dev.slipway.source.git;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.source.RepoName;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.eclipse.jgit.errors.NoRemoteRepositoryException;

/** Says to the user why a repository, branch or commit could not be had, and what to do. */
record FetchFailures(String kind, URI address, RepoName repo) {
  private static final int MAX_BRANCHES = 5;

  static FetchFailures at(SubmoduleAddresses.Place place) {
    GitHost host = place.host();
    return new FetchFailures(host.kind(), host.addressOf(place.repo()), place.repo());
  }

  AppFailure repositoryNotFound(Exception cause) {
    return new AppFailure(
        FailureCode.SOURCE_NOT_FOUND,
        "The repository %s was not found on %s (%s). Check the name, or give the host a token if it is private."
            .formatted(repo, kind, address),
        cause);
  }

  AppFailure branchNotFound(String branch, Collection<String> existing) {
    String hint =
        existing.isEmpty()
            ? "it has no branches yet. Push a commit first."
            : "its branches are: %s%s."
                .formatted(
                    String.join(", ", existing.stream().limit(MAX_BRANCHES).toList()),
                    existing.size() > MAX_BRANCHES ? ", …" : "");
    return new AppFailure(
        FailureCode.BRANCH_NOT_FOUND,
        "The repository %s has no branch %s; %s".formatted(repo, branch, hint));
  }

  AppFailure commitNotFound(String sha, String branch) {
    return new AppFailure(
        FailureCode.COMMIT_NOT_FOUND,
        "The repository %s has no commit %s on the branch %s. Push it, or give another commit."
            .formatted(repo, sha, branch));
  }

  AppFailure ambiguousCommit(String sha) {
    return new AppFailure(
        FailureCode.COMMIT_NOT_FOUND,
        "Several commits of the repository %s begin with %s. Give more digits of the commit."
            .formatted(repo, sha));
  }

  /**
   * @param lastStatus the last HTTP status, 0 where no server answered
   */
  AppFailure of(IOException failure, int lastStatus) {
    if (lastStatus == 401
        || lastStatus == 403
        || lastStatus == 404
        || hasCause(failure, NoRemoteRepositoryException.class)) {
      return repositoryNotFound(failure);
    }
    return new AppFailure(
        FailureCode.SOURCE_UNREACHABLE,
        "The repository %s could not be fetched from %s (%s): %s"
            .formatted(repo, kind, address, reason(failure, lastStatus)),
        failure);
  }

  private String reason(IOException failure, int lastStatus) {
    String host = address.getHost();
    if (hasCause(failure, UnknownHostException.class)) {
      return "no host %s is known. Check the host's address in the configuration.".formatted(host);
    }
    if (hasCause(failure, ConnectException.class)
        || hasCause(failure, NoRouteToHostException.class)) {
      return "%s does not accept connections. Check that it runs and is reached from here."
          .formatted(host);
    }
    if (hasCause(failure, SSLException.class)) {
      return "its TLS certificate was not accepted (%s). Give the server's JVM the authority that signed it."
          .formatted(cause(failure, SSLException.class).map(Exception::getMessage).orElse(""));
    }
    if (hasCause(failure, SocketTimeoutException.class)) {
      return "%s did not answer in time. Try again later.".formatted(host);
    }
    if (lastStatus >= 300) {
      return "%s answered with HTTP status %d. Try again later.".formatted(host, lastStatus);
    }
    return "the connection failed (%s). Try again later.".formatted(failure.getMessage());
  }

  private static boolean hasCause(Throwable failure, Class<? extends Exception> type) {
    return cause(failure, type).isPresent();
  }

  private static <T extends Exception> Optional<T> cause(Throwable failure, Class<T> type) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (type.isInstance(at)) {
        return Optional.of(type.cast(at));
      }
    }
    return Optional.empty();
  }
}
