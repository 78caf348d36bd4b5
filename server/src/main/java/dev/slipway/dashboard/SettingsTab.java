package dev.slipway.dashboard;

import java.util.Arrays;
import java.util.List;

/** The entries of the settings' own navigation. */
public enum SettingsTab {
  PROFILE("", "Profile", Pages.Need.ANY),
  KEYS("/keys", "API keys", Pages.Need.ADMINISTER),
  USERS("/users", "Users", Pages.Need.ANY),
  USAGE("/usage", "Usage", Pages.Need.ANY),
  WEBHOOKS("/webhooks", "Webhooks", Pages.Need.CHANGE),
  GIT("/git", "Git hosts", Pages.Need.ANY),
  SERVER("/server", "Server", Pages.Need.ANY),
  AUDIT("/audit", "Audit log", Pages.Need.ADMINISTER);

  private static final String SETTINGS = "/settings";

  private final String path;
  private final String title;
  private final Pages.Need need;

  SettingsTab(String path, String title, Pages.Need need) {
    this.path = path;
    this.title = title;
    this.need = need;
  }

  /** Those that he who is signed in may open. */
  public static List<SettingsTab> of(Frame frame) {
    return Arrays.stream(values())
        .filter(tab -> frame.who().filter(it -> tab.need.metBy(it.role())).isPresent())
        .toList();
  }

  public String title() {
    return title;
  }

  /** Where a browser finds it. */
  public String address() {
    return Site.BASE + path();
  }

  /** Below {@link Site#BASE}. */
  String path() {
    return SETTINGS + path;
  }

  Pages.Need need() {
    return need;
  }

  /** A page below this entry. */
  Reply.Page show(String template, Object page) {
    return Reply.page("settings/" + template, title, Section.SETTINGS, page);
  }
}
