package dev.slipway.dashboard;

import java.util.Optional;

/**
 * What stands above each page of a project: what it is and does, what can be done, the tabs.
 *
 * @param url its production address
 * @param host the same without the scheme
 * @param repo absent where it comes from archives
 * @param branch what is deployed where no commit is named
 * @param serving what answers its visitors
 * @param deploy the form to deploy it
 */
public record ProjectHead(
    String id,
    String name,
    Badge state,
    String url,
    String host,
    Optional<String> repo,
    Optional<String> branch,
    Optional<DeploymentLine> serving,
    DeployForm deploy) {

  /**
   * What was typed, where it was refused.
   *
   * @param commit may be empty
   * @param rebuild whether no kept release is to be used again
   */
  public record DeployForm(String commit, boolean rebuild) {
    static DeployForm of(Form form) {
      return new DeployForm(form.text("commit_sha"), form.checked("rebuild"));
    }
  }

  /** Whether anything serves it. */
  public boolean live() {
    return serving.isPresent();
  }

  public String path() {
    return path(id);
  }

  /** Where a project's pages are. */
  public static String path(String id) {
    return Site.BASE + "/projects/" + id;
  }
}
