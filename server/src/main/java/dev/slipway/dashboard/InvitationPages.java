package dev.slipway.dashboard;

import dev.slipway.account.Invitation;
import dev.slipway.account.Invitations;
import dev.slipway.account.Role;
import dev.slipway.account.Sessions;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.edge.Addresses;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/**
 * Where whoever has the link of an invitation becomes a user. Its token is in the query and not in
 * the path, which the access log has.
 */
final class InvitationPages implements Pages {
  private static final String PATH = "/invitation";
  private static final String HOME = Site.BASE + "/projects";

  private final Invitations invitations;
  private final Visitors visitors;

  InvitationPages(Invitations invitations, Visitors visitors) {
    this.invitations = invitations;
    this.visitors = visitors;
  }

  /** The link for that token. */
  static String address(Addresses addresses, Secret token) {
    return addresses.of("%s%s?token=%s".formatted(Site.BASE, PATH, token.reveal()));
  }

  @Override
  public void mount(Site site) {
    site.openGet(PATH, this::show);
    site.openPost(PATH, this::accept);
  }

  private Reply show(RoutingContext context) {
    Secret token = new Secret(context.queryParam("token").stream().findFirst().orElse(""));
    return page(200, token, "", Optional.empty());
  }

  private Reply accept(RoutingContext context) {
    Form form = new Form(context.request().formAttributes());
    Secret token = form.secret("token");
    try {
      Sessions.Started started =
          invitations.accept(
              token, form.text("name"), form.secret("password"), visitors.of(context.request()));
      return new Reply.Entered(started, HOME);
    } catch (RequestException e) {
      return page(
          e.code().httpStatus(),
          token,
          form.text("name"),
          Optional.of(String.valueOf(e.getMessage())));
    }
  }

  private Reply page(int status, Secret token, String name, Optional<String> problem) {
    Optional<Invitation> invitation = invitations.find(token);
    return new Reply.Page(
        invitation.isPresent() ? status : 404,
        "invitation.jte",
        "Accept the invitation",
        Section.NONE,
        new InvitationPage(
            invitation.map(it ->
                new InvitationPage.Offer(
                    token.reveal(), it.email(), role(it.role()), it.invitedBy(), name, problem))));
  }

  private static String role(Role role) {
    return switch (role) {
      case OWNER -> "an owner";
      case MEMBER -> "a member";
      case VIEWER -> "a viewer";
    };
  }
}
