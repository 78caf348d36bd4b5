package dev.slipway.source.git;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.RawPath;
import dev.slipway.source.FetchCount;
import dev.slipway.source.git.SubmoduleAddresses.Place;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;

/**
 * Writes a commit with its submodules and large files. What of those cannot be had is left out and
 * noted; what another time may bring is a failure, as for the commit itself. For one checkout.
 */
final class CheckoutWriter {
  private static final int MAX_DEPTH = 5;
  private static final int MAX_SUBMODULES = 100;
  private static final int MAX_NOTES = 20;
  private static final int MAX_ADDRESS_CHARS = 200;

  private final SubmoduleAddresses addresses;
  private final Path scratch;
  private final FetchCount count;
  private final Allowance allowance = new Allowance();
  private final List<String> notes = new ArrayList<>();
  private int fetched;
  private int trees;
  private int untold;

  /**
   * @param scratch a directory on the file system of the checkout, deleted by the caller
   */
  CheckoutWriter(SubmoduleAddresses addresses, Path scratch, FetchCount count) {
    this.addresses = addresses;
    this.scratch = scratch;
    this.count = count;
  }

  /** A repository, how it is reached, and where in the checkout its files go. */
  private record Part(Place place, Origin origin, Path directory, String prefix, int depth) {}

  /**
   * @param directory empty
   */
  void write(Place place, Origin origin, Repository repository, RevCommit commit, Path directory)
      throws IOException {
    write(new Part(place, origin, directory, "", 0), repository, commit);
  }

  /** Sentences about what is not there. */
  List<String> notes() {
    List<String> all = new ArrayList<>(notes);
    if (untold > 0) {
      all.add("%,d more submodules or large files are not there.".formatted(untold));
    }
    return all;
  }

  private void write(Part part, Repository repository, RevCommit commit) throws IOException {
    WrittenTree tree =
        new TreeWriter(part.directory(), allowance, count).write(repository, commit.getTree());
    if (!tree.pointers().isEmpty()) {
      Path downloads = scratch.resolve("large-files-" + trees++);
      new LargeFileWriter(part.directory(), allowance, count)
          .write(tree.pointers(), part.origin().largeFiles(), downloads, part.prefix())
          .forEach(this::note);
    }
    if (!tree.submodules().isEmpty()) {
      GitModules modules = GitModules.parse(tree.addresses().orElse(""));
      for (WrittenTree.Submodule submodule : tree.submodules()) {
        fill(part, submodule, modules)
            .ifPresent(why ->
                note(
                    "The submodule %s%s is left empty: %s."
                        .formatted(part.prefix(), submodule.path(), why)));
      }
    }
  }

  /** Why it is left empty; empty if it is not. */
  private Optional<String> fill(Part parent, WrittenTree.Submodule submodule, GitModules modules)
      throws IOException {
    // No commit can be inside of itself, but a small repository can name a thousand others.
    if (parent.depth() == MAX_DEPTH || fetched == MAX_SUBMODULES) {
      return Optional.of(
          "at most %d submodules are fetched, %d deep".formatted(MAX_SUBMODULES, MAX_DEPTH));
    }
    Optional<String> address = modules.address(submodule.path());
    if (address.isEmpty()) {
      return Optional.of(".gitmodules does not say where it comes from");
    }
    Optional<Place> place = addresses.find(address.get(), parent.place());
    if (place.isEmpty()) {
      return Optional.of(
          "its address %s is of none of the git hosts of this server (repo_hosts)"
              .formatted(shown(address.get())));
    }
    fetched++;
    return fetch(
        new Part(
            place.get(),
            place.get().host().open(place.get().repo(), count),
            RawPath.resolve(parent.directory(), submodule.path()),
            parent.prefix() + submodule.path() + "/",
            parent.depth() + 1),
        submodule.sha());
  }

  private Optional<String> fetch(Part part, String sha) throws IOException {
    Place place = part.place();
    String noCommit = "%s has no commit %s".formatted(place.repo(), sha);
    Path objects = scratch.resolve("submodule-" + fetched);
    try (Repository repository = part.origin().commit(Optional.empty(), sha, objects)) {
      Optional<RevCommit> commit = CommitLookup.commit(repository, sha);
      if (commit.isEmpty()) {
        return Optional.of(noCommit);
      }
      write(part, repository, commit.get());
      return Optional.empty();
    } catch (IOException e) {
      if (isRefusal(e, sha)) {
        return Optional.of(noCommit);
      }
      AppFailure failure = FetchFailures.at(place).of(e, part.origin().lastStatus());
      if (failure.failure().code() == FailureCode.SOURCE_NOT_FOUND) {
        return Optional.of(
            "%s has no repository %s that this server may read"
                .formatted(place.host().kind(), place.repo()));
      }
      throw failure;
    }
  }

  /** Servers say that they do not have it in words of their own. */
  private static boolean isRefusal(IOException failure, String sha) {
    return String.valueOf(failure.getMessage()).contains(sha);
  }

  private void note(String sentence) {
    if (notes.size() < MAX_NOTES) {
      notes.add(sentence);
    } else {
      untold++;
    }
  }

  /** Without a login, which some addresses carry. */
  private static String shown(String address) {
    String plain = address.replaceFirst("//[^/]*@", "//");
    return plain.substring(0, Math.min(plain.length(), MAX_ADDRESS_CHARS));
  }
}
