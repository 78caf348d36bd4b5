package dev.slipway.dashboard;

import dev.slipway.core.FailureCode;

/**
 * What to do about a failure.
 *
 * @param place the page of the project where that is done, as its path ends
 * @param label of the link there; empty where there is no such page
 */
public record Remedy(String sentence, String place, String label) {
  private static final String COMMANDS =
      "The first error in the log is usually the cause. Correct the code, or the command in the settings, and deploy again.";

  static Remedy of(FailureCode code) {
    return switch (code) {
      case SOURCE_UNREACHABLE ->
          nothing("Nothing has to be changed: deploy again once the git host answers.");
      case SOURCE_NOT_FOUND ->
          nothing(
              "Check that the repository is still there under this name, and that this server may read it.");
      case BRANCH_NOT_FOUND ->
          settings("Push the branch, or choose another one in the settings, and deploy again.");
      case COMMIT_NOT_FOUND -> nothing("Push the commit, or deploy another one.");
      case ARCHIVE_REFUSED, UPLOAD_EXPIRED ->
          nothing("Pack the folder of the application anew, and upload it again.");
      case FRAMEWORK_NOT_DETECTED ->
          settings(
              "Say in the settings in which directory the application is, or what framework it has, and deploy again.");
      case START_COMMAND_MISSING ->
          settings("Set a start command in the settings, and deploy again.");
      case INSTALL_FAILED ->
          settings(
              "The first error in the log is usually the cause. Correct the dependencies, or the install command in the settings, and deploy again.");
      case BUILD_FAILED -> settings(COMMANDS);
      case STEP_TIMEOUT ->
          settings(
              "See in the log what it was doing. A command that waits for somebody's answer never ends; another one can be set in the settings.");
      case OUT_OF_MEMORY ->
          settings(
              "A program that needs more memory to start gets it with a larger instance type. What a build may take is set by whoever runs the server.");
      case PROCESS_LIMIT ->
          nothing("Have it start fewer processes or threads at once, and deploy again.");
      case DISK_LIMIT ->
          nothing("Leave out what is not needed to build or run it, and deploy again.");
      case DISK_FULL ->
          nothing("Whoever runs the server has to make room on its disk. Then deploy again.");
      case START_FAILED ->
          settings(
              "The log has what the program printed last. Correct it, its variables, or the start command in the settings, and deploy again.");
      case HEALTH_CHECK_FAILED ->
          settings(
              "The program has to listen on the port that PORT names and answer the health check path below status 500. Both can be seen in the settings.");
      case DATABASE_UNREACHABLE ->
          new Remedy(
              "Correct the address or the login of the database, and deploy again.",
              "/database",
              "Open the database");
      case DATABASE_FAILED ->
          new Remedy(
              "See what is wrong with the database, and deploy again.",
              "/database",
              "Open the database");
      case SUPERSEDED, CANCELED -> nothing("What served before it goes on serving.");
      case INTERNAL_ERROR ->
          nothing(
              "It is no fault of the application. Deploy again; if it stays, tell whoever runs the server.");
    };
  }

  private static Remedy nothing(String sentence) {
    return new Remedy(sentence, "", "");
  }

  private static Remedy settings(String sentence) {
    return new Remedy(sentence, "/settings", "Open the settings");
  }
}
