package dev.slipway.dashboard;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What a page says was done before it is shown. It travels as a code in the address: what stands
 * there is never shown itself.
 */
public enum Notice {
  SIGNED_OUT("You are signed out."),
  PASSWORD_CHANGED("Your password is changed. Your other sessions are signed out."),
  PROFILE_SAVED("Your name is saved."),
  SESSION_ENDED("The session is signed out."),
  SESSIONS_ENDED("All other sessions are signed out."),
  KEY_REVOKED("The key is revoked. It opens nothing any more."),
  USER_CHANGED("The role is changed."),
  USER_CHANGED_NOT_KEYS(
      "The role is changed. API keys that this user made as an owner still work; revoke those that should not.",
      SettingsTab.KEYS),
  USER_REMOVED("The user is removed and signed out everywhere."),
  USER_REMOVED_NOT_KEYS(
      "The user is removed and signed out everywhere. API keys that this user made still work; revoke those that should not.",
      SettingsTab.KEYS),
  INVITATION_REVOKED("The invitation is withdrawn. Its link opens nothing any more."),
  SETTINGS_SAVED("The settings are saved."),
  VARIABLES_SAVED("The variables are saved. They take effect with the next deployment."),
  PREVIEW_VARIABLES_SAVED(
      "The preview variables are saved. A preview has them with the next push to its pull request, or when it is built again."),
  PREVIEW_REMOVED("The preview is removed. A later push to its pull request makes another."),
  PREVIEW_QUEUED("The preview is built again."),
  DOMAIN_ADDED("The domain is added. Set its DNS records; it is served as soon as they are seen."),
  DOMAIN_REMOVED("The domain is removed."),
  CERTIFICATE_SAVED("The certificate is saved."),
  CERTIFICATE_REMOVED("The certificate is removed."),
  RESTARTED("The restart is asked for. Nothing is interrupted by it."),
  PROJECT_DELETED("The project is deleted. Its history can be read for 30 days."),
  CANCELED("It is canceled."),
  DATABASE_CHOSEN("The database is saved. It takes effect with the next deployment."),
  DATABASE_ROTATED("A new login is being made. What runs is restarted with it."),
  DATABASE_DROPPED("The database is being dropped."),
  BACKUP_STARTED("A backup is being made."),
  RESTORE_STARTED("The database is being restored."),
  WEBHOOK_SAVED("The webhook is saved."),
  WEBHOOK_ENABLED("The webhook is enabled. It gets what happens from now on."),
  WEBHOOK_DISABLED("The webhook is disabled. Nothing is sent to it any more."),
  WEBHOOK_DELETED("The webhook is deleted, and its deliveries with it."),
  TEST_SENT("A test event is on its way."),
  REDELIVERED("The event is sent again, under the same webhook-id."),
  ;

  static final String PARAMETER = "done";

  private final String sentence;
  private final Optional<SettingsTab> next;

  Notice(String sentence) {
    this.sentence = sentence;
    this.next = Optional.empty();
  }

  Notice(String sentence, SettingsTab next) {
    this.sentence = sentence;
    this.next = Optional.of(next);
  }

  public String sentence() {
    return sentence;
  }

  /** Where there is more to do about it. */
  public Optional<SettingsTab> next() {
    return next;
  }

  String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Optional<Notice> ofCode(String code) {
    return Arrays.stream(values()).filter(it -> it.code().equals(code)).findFirst();
  }
}
