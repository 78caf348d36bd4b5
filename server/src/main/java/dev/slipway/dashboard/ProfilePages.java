package dev.slipway.dashboard;

import dev.slipway.account.Session;
import dev.slipway.account.Sessions;
import dev.slipway.account.SignedIn;
import dev.slipway.account.Users;
import dev.slipway.core.SessionId;
import java.util.Comparator;
import java.util.List;

/** What each user does with his own name, password and sessions. */
final class ProfilePages implements Pages {
  private static final SettingsTab TAB = SettingsTab.PROFILE;

  /** A program that signs in every hour leaves hundreds. */
  private static final int SESSIONS_SHOWN = 25;

  private final Sessions sessions;
  private final Users users;

  ProfilePages(Sessions sessions, Users users) {
    this.sessions = sessions;
    this.users = users;
  }

  @Override
  public void mount(Site site) {
    site.get(TAB.path(), this::show);
    site.post("/settings/profile", Need.ANY, this::rename, this::show);
    site.post("/settings/password", Need.ANY, this::changePassword, this::show);
    site.post("/settings/sessions/end-others", Need.ANY, this::endOthers, this::show);
    site.post("/settings/sessions/:session/end", Need.ANY, this::end, this::show);
  }

  private Reply show(Visit visit) {
    SignedIn who = visit.who();
    List<Session> all = sessions.list(who);
    List<ProfilePage.SessionRow> rows =
        all.stream()
            .map(session -> row(session, who))
            .sorted(Comparator.comparing(row -> !row.own())) // else as they were: last seen first
            .limit(SESSIONS_SHOWN)
            .toList();
    return TAB.show(
        "profile.jte",
        new ProfilePage(
            visit.form().checked("name") ? visit.form().text("name") : who.name(),
            who.email(),
            Shown.role(who.role()),
            who.account().id().value(),
            rows,
            all.size() - rows.size()));
  }

  private static ProfilePage.SessionRow row(Session session, SignedIn who) {
    return new ProfilePage.SessionRow(
        session.id().value(),
        BrowserName.of(session.userAgent()),
        session.address(),
        session.createdAt(),
        session.lastSeenAt(),
        session.id().equals(who.session()));
  }

  private Reply rename(Visit visit) {
    users.rename(visit.who(), visit.form().text("name"));
    return Reply.done(TAB.address(), Notice.PROFILE_SAVED);
  }

  private Reply changePassword(Visit visit) {
    Sessions.Started renewed =
        users.changePassword(
            visit.who(),
            visit.form().secret("current_password"),
            visit.form().secret("new_password"));
    return new Reply.Entered(
        renewed, Reply.done(TAB.address(), Notice.PASSWORD_CHANGED).location());
  }

  private Reply end(Visit visit) {
    sessions.end(visit.who(), new SessionId(visit.path("session")));
    return Reply.done(TAB.address(), Notice.SESSION_ENDED);
  }

  private Reply endOthers(Visit visit) {
    sessions.endOthers(visit.who());
    return Reply.done(TAB.address(), Notice.SESSIONS_ENDED);
  }
}
