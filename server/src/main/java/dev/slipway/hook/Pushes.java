package dev.slipway.hook;

import dev.slipway.core.DeploymentId;
import dev.slipway.deployment.DeploymentService;
import dev.slipway.project.Project;
import dev.slipway.source.RepoName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** What a push does. */
final class Pushes {
  private static final int SHORT_SHA = 7;
  private static final Duration OUT_OF_ORDER = Duration.ofMinutes(10);

  private final DeploymentService deployments;
  private final HookDeliveryStore deliveries;
  private final Clock clock;

  Pushes(DeploymentService deployments, HookDeliveryStore deliveries, Clock clock) {
    this.deployments = deployments;
    this.deliveries = deliveries;
    this.clock = clock;
  }

  /**
   * @param moved whether the project's branch names another commit now than it did
   * @param sameAs the commit that is deployed, where the one that was pushed differs from it in
   *     nothing that counts
   */
  record Taken(Reaction reaction, boolean moved, Optional<String> sameAs) {
    static Taken apart(String reason) {
      return new Taken(Reaction.ignored(reason), false, Optional.empty());
    }

    static Taken moved(String reason) {
      return new Taken(Reaction.ignored(reason), true, Optional.empty());
    }
  }

  /**
   * Queues a deployment, or says why not.
   *
   * @param project its row is locked
   */
  Taken take(Handle tx, Project project, Push push) {
    Optional<RepoName> repo = project.repo();
    if (repo.isEmpty()) {
      return Taken.apart("The project comes from archives; a push deploys nothing.");
    }
    if (!push.repo().equalsIgnoreCase(repo.get().value())) {
      return Taken.apart(
          "The push was to %s; the project comes from %s.".formatted(push.repo(), repo.get()));
    }
    String wanted = project.settings().branch().orElse("");
    if (push.isTag()) {
      return Taken.apart(
          "A tag was pushed; only a push to the branch %s deploys.".formatted(wanted));
    }
    if (!push.branch().equals(Optional.of(wanted))) {
      return Taken.apart(
          "The push was to %s; only one to the branch %s deploys."
              .formatted(push.branch().orElse(push.ref()), wanted));
    }
    return ofBranch(tx, project, wanted, push);
  }

  private Taken ofBranch(Handle tx, Project project, String branch, Push push) {
    if (push.before().equals(push.after())) {
      return Taken.apart("A test of the git host: nothing was pushed.");
    }
    if (isOvertaken(tx, project, branch, push)) {
      return Taken.apart(
          "A later push to %s was told of before this one; that one counts.".formatted(branch));
    }
    if (push.deleted()) {
      return Taken.moved("The branch %s was deleted; what serves stays.".formatted(branch));
    }
    if (!push.namesCommit()) {
      return Taken.apart("What was pushed is not named by 40 hexadecimal digits.");
    }
    return whyNot(tx, project, push)
        .map(Taken::moved)
        .or(() -> nothingToDo(tx, project, push))
        .orElseGet(() -> new Taken(deploy(tx, project, branch, push), true, Optional.empty()));
  }

  /**
   * Hosts send the messages of two quick pushes in any order, but not days later: what was told of
   * long ago is no later push, but an earlier state that somebody has gone back to.
   */
  private boolean isOvertaken(Handle tx, Project project, String branch, Push push) {
    boolean next = deliveries.head(tx, project.id(), branch).equals(Optional.of(push.before()));
    Instant since = clock.instant().minus(OUT_OF_ORDER);
    return !next && deliveries.wasLeft(tx, project.id(), branch, push.after(), since);
  }

  /**
   * The push tells what it changed, and that is nothing below the root directory; and what it
   * changed it in is deployed, or on its way. Else a change that was not deployed, as its message
   * was lost or its build failed, would stay so without a word.
   */
  private Optional<Taken> nothingToDo(Handle tx, Project project, Push push) {
    Optional<RootDirectory> untouched =
        project
            .settings()
            .overrides()
            .rootDirectory()
            .flatMap(RootDirectory::of)
            .filter(root -> push.paths().filter(files -> !root.isTouchedBy(files)).isPresent());
    if (untouched.isEmpty()) {
      return Optional.empty();
    }
    String deployed = deliveries.sameAs(tx, project.id(), push.before()).orElse(push.before());
    return deployments.willServe(tx, project, deployed)
        ? Optional.of(
            new Taken(
                Reaction.ignored(
                    "There is nothing to do: the push changed no file below %s."
                        .formatted(untouched.get().path())),
                true,
                Optional.of(deployed)))
        : Optional.empty();
  }

  private Optional<String> whyNot(Handle tx, Project project, Push push) {
    if (!project.settings().autoDeploy()) {
      return Optional.of(
          "auto_deploy of the project is off, as it is after a rollback; switch it on to deploy what is pushed.");
    }
    Optional<String> skip = SkipWords.in(push.message());
    if (skip.isPresent()) {
      return Optional.of("The message of commit %s says %s.".formatted(shown(push), skip.get()));
    }
    return deployments.serves(tx, project, push.after())
        ? Optional.of("Commit %s serves already.".formatted(shown(push)))
        : Optional.empty();
  }

  private Reaction deploy(Handle tx, Project project, String branch, Push push) {
    DeploymentId id = deployments.pushed(tx, project, push.after()).id();
    return Reaction.deployed(
        id, "Commit %s of %s is deployed by %s.".formatted(shown(push), branch, id));
  }

  private static String shown(Push push) {
    return push.after().substring(0, SHORT_SHA);
  }
}
