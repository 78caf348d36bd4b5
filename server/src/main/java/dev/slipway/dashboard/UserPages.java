package dev.slipway.dashboard;

import dev.slipway.account.Invitation;
import dev.slipway.account.Invitations;
import dev.slipway.account.Member;
import dev.slipway.account.Role;
import dev.slipway.account.SignedIn;
import dev.slipway.account.Users;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.InvitationId;
import dev.slipway.core.RequestException;
import dev.slipway.core.UserId;
import dev.slipway.edge.Addresses;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where owners invite users, change their roles and remove them. */
final class UserPages implements Pages {
  private static final SettingsTab TAB = SettingsTab.USERS;
  private static final List<Option> ROLES =
      Arrays.stream(Role.values())
          .map(role -> new Option(role.wireName(), Shown.role(role)))
          .toList();

  private final Users users;
  private final Invitations invitations;
  private final KeyMakers makers;
  private final Addresses addresses;

  UserPages(Users users, Invitations invitations, KeyMakers makers, Addresses addresses) {
    this.users = users;
    this.invitations = invitations;
    this.makers = makers;
    this.addresses = addresses;
  }

  @Override
  public void mount(Site site) {
    site.get(TAB.path(), this::show);
    site.post(TAB.path() + "/:user/role", Need.ADMINISTER, this::changeRole, this::show);
    site.post(TAB.path() + "/:user/remove", Need.ADMINISTER, this::remove, this::show);
    site.post("/settings/invitations", Need.ADMINISTER, this::invite, this::showTyped);
    site.post(
        "/settings/invitations/:invitation/revoke", Need.ADMINISTER, this::revoke, this::show);
  }

  private Reply show(Visit visit) {
    return page(visit, Optional.empty(), "", Role.MEMBER.wireName());
  }

  private Reply showTyped(Visit visit) {
    return page(visit, Optional.empty(), visit.form().text("email"), visit.form().text("role"));
  }

  private Reply changeRole(Visit visit) {
    UserId user = new UserId(visit.path("user"));
    Role role = role(visit);
    boolean keysStay = !role.mayAdminister() && hasKeys(visit, user);
    users.changeRole(visit.who(), user, role);
    return Reply.done(TAB.address(), keysStay ? Notice.USER_CHANGED_NOT_KEYS : Notice.USER_CHANGED);
  }

  private Reply remove(Visit visit) {
    UserId user = new UserId(visit.path("user"));
    boolean keysStay = hasKeys(visit, user); // by then there is no such user
    users.remove(visit.who(), user);
    return Reply.done(TAB.address(), keysStay ? Notice.USER_REMOVED_NOT_KEYS : Notice.USER_REMOVED);
  }

  private boolean hasKeys(Visit visit, UserId id) {
    Map<String, List<String>> keys = makers.working(visit.who());
    return users.list(visit.who()).stream()
        .anyMatch(user -> user.id().equals(id) && keys.containsKey(user.email()));
  }

  /** Not followed by another page: the link is in this answer and nowhere else. */
  private Reply invite(Visit visit) {
    Invitations.Made made =
        invitations.invite(visit.who(), visit.form().text("email"), role(visit));
    UsersPage.Link link =
        new UsersPage.Link(
            made.invitation().email(), InvitationPages.address(addresses, made.token()));
    return page(visit, Optional.of(link), "", Role.MEMBER.wireName());
  }

  private Reply revoke(Visit visit) {
    invitations.revoke(visit.who(), new InvitationId(visit.path("invitation")));
    return Reply.done(TAB.address(), Notice.INVITATION_REVOKED);
  }

  private static Role role(Visit visit) {
    return Role.ofWireName(visit.form().text("role"))
        .orElseThrow(() ->
            new RequestException(
                ErrorCode.INVALID_REQUEST, "Choose a role: owner, member or viewer."));
  }

  private Reply page(Visit visit, Optional<UsersPage.Link> link, String email, String role) {
    SignedIn who = visit.who();
    List<UsersPage.Pending> pending =
        who.role().mayAdminister()
            ? invitations.pending(who).stream().map(UserPages::pending).toList()
            : List.of();
    Map<String, List<String>> keys = who.role().mayAdminister() ? makers.working(who) : Map.of();
    return TAB.show(
        "users.jte",
        new UsersPage(
            link,
            users.list(who).stream()
                .map(it -> row(it, who, keys.getOrDefault(it.email(), List.of())))
                .toList(),
            pending,
            ROLES,
            email,
            role));
  }

  private static UsersPage.Row row(Member member, SignedIn who, List<String> keys) {
    return new UsersPage.Row(
        member.id().value(),
        member.name().isEmpty() ? member.email() : member.name(),
        member.email(),
        member.role().wireName(),
        Shown.role(member.role()),
        member.role().mayAdminister(),
        member.lastSeenAt(),
        member.id().equals(who.user()),
        keys);
  }

  private static UsersPage.Pending pending(Invitation invitation) {
    return new UsersPage.Pending(
        invitation.id().value(),
        invitation.email(),
        Shown.role(invitation.role()),
        invitation.invitedBy(),
        invitation.createdAt(),
        invitation.expiresAt());
  }
}
