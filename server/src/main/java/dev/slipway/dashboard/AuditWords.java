package dev.slipway.dashboard;

import java.util.Map;

/** What the entries of the audit log say. */
final class AuditWords {
  private static final Map<String, String> SENTENCES =
      Map.ofEntries(
          Map.entry("createMigration", "Started a migration"),
          Map.entry("cancelMigration", "Canceled a migration"),
          Map.entry("triggerDeployment", "Deployed"),
          Map.entry("rollBack", "Rolled back"),
          Map.entry("cancelDeployment", "Canceled a deployment"),
          Map.entry("updateProject", "Changed the settings of a project"),
          Map.entry("deleteProject", "Deleted a project"),
          Map.entry("restartProject", "Restarted a project"),
          Map.entry("replaceEnvVars", "Replaced the variables of a project"),
          Map.entry("updateEnvVars", "Changed the variables of a project"),
          Map.entry("env_vars.reveal", "Read the values of a project's variables"),
          Map.entry("makeHookSecret", "Made a hook secret for a project"),
          Map.entry("replacePreviewEnvVars", "Replaced the preview variables of a project"),
          Map.entry("updatePreviewEnvVars", "Changed the preview variables of a project"),
          Map.entry("preview_env_vars.reveal", "Read the values of a project's preview variables"),
          Map.entry("removePreview", "Removed the preview of a pull request"),
          Map.entry("redeployPreview", "Deployed a preview again"),
          Map.entry("addDomain", "Added a domain"),
          Map.entry("removeDomain", "Removed a domain"),
          Map.entry("putCertificate", "Uploaded a certificate"),
          Map.entry("removeCertificate", "Removed a certificate"),
          Map.entry("deleteDatabase", "Dropped a database"),
          Map.entry("rotateDatabase", "Gave a database another login"),
          Map.entry("database.reveal", "Read the login of a database"),
          Map.entry("createBackup", "Backed up a database"),
          Map.entry("restoreBackup", "Restored a database"),
          Map.entry("createWebhook", "Added a webhook"),
          Map.entry("updateWebhook", "Changed a webhook"),
          Map.entry("deleteWebhook", "Deleted a webhook"),
          Map.entry("testWebhook", "Tested a webhook"),
          Map.entry("rotateWebhookSecret", "Replaced the secret of a webhook"),
          Map.entry("redeliver", "Sent an event again"),
          Map.entry("api_key.create", "Made an API key"),
          Map.entry("api_key.revoke", "Revoked an API key"),
          Map.entry("user.invite", "Invited a user"),
          Map.entry("user.uninvite", "Withdrew an invitation"),
          Map.entry("user.join", "Accepted an invitation"),
          Map.entry("user.role", "Changed a user's role"),
          Map.entry("user.remove", "Removed a user"),
          Map.entry("user.name", "Changed the own name"),
          Map.entry("user.password", "Changed the own password"),
          Map.entry("session.sign_in", "Signed in"),
          Map.entry("session.end", "Signed out"),
          Map.entry("session.end_others", "Signed out all other sessions"));

  private AuditWords() {}

  /** The action itself where nobody has found words for it. */
  static String sentence(String action) {
    return SENTENCES.getOrDefault(action, action);
  }

  static boolean knows(String action) {
    return SENTENCES.containsKey(action);
  }
}
