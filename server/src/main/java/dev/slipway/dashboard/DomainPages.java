package dev.slipway.dashboard;

import dev.slipway.api.LocalApi;
import dev.slipway.api.LocalRequest;
import java.util.Optional;

/** The domains of a project, their DNS and their certificates. */
final class DomainPages implements Pages {
  /** With what can be done to each of them, that many are well below 100 KB. */
  private static final int MANY = 10;

  private final ProjectHeads heads;

  DomainPages(ProjectHeads heads) {
    this.heads = heads;
  }

  @Override
  public void mount(Site site) {
    String all = "/projects/:project_id/domains";
    String one = all + "/:domain_id";
    site.get(all, this::show);
    site.post(all, Need.CHANGE, this::add, this::show);
    site.get(one + "/state", this::state);
    site.post(one + "/delete", Need.CHANGE, this::remove, this::show);
    site.post(one + "/certificate", Need.CHANGE, this::putCertificate, this::show);
    site.post(one + "/certificate/delete", Need.CHANGE, this::removeCertificate, this::show);
  }

  private Reply show(Visit visit) {
    String project = project(visit);
    ProjectHead head = heads.of(visit, project);
    Optional<String> cursor = visit.query("cursor");
    LocalRequest asked =
        LocalRequest.of("listDomains")
            .path("project_id", project)
            .query("limit", String.valueOf(MANY));
    LocalApi.Listed<DomainFacts> listed =
        visit.list(cursor.map(it -> asked.query("cursor", it)).orElse(asked), DomainFacts.class);
    return Reply.page(
        "projects/domains.jte",
        "Domains, " + head.name(),
        Section.PROJECTS,
        new DomainsPage(
            head,
            listed.records().stream()
                .map(it -> new DomainCard(project, it, typed(visit, it)))
                .toList(),
            visit.form().text("name"),
            cursor.isEmpty(),
            listed
                .nextCursor()
                .map(it -> "%s?cursor=%s".formatted(DomainsPage.path(project), it))));
  }

  private static Optional<String> typed(Visit visit, DomainFacts domain) {
    return visit
        .form()
        .filled("certificate")
        .filter(_ -> domain.id().equals(visit.context().pathParam("domain_id")));
  }

  private Reply state(Visit visit) {
    DomainFacts domain = visit.ask(at(visit, "getDomain"), DomainFacts.class);
    return new Reply.Fragment("projects/domainnews.jte", DomainCard.of(project(visit), domain));
  }

  private Reply add(Visit visit) {
    visit.tell(
        LocalRequest.of("addDomain")
            .path("project_id", project(visit))
            .body(visit.form().json("name")));
    return done(visit, Notice.DOMAIN_ADDED);
  }

  private Reply remove(Visit visit) {
    visit.tell(at(visit, "removeDomain"));
    return done(visit, Notice.DOMAIN_REMOVED);
  }

  private Reply putCertificate(Visit visit) {
    visit.tell(at(visit, "putCertificate").body(visit.form().json("certificate", "private_key")));
    return done(visit, Notice.CERTIFICATE_SAVED);
  }

  private Reply removeCertificate(Visit visit) {
    visit.tell(at(visit, "removeCertificate"));
    return done(visit, Notice.CERTIFICATE_REMOVED);
  }

  private static Reply done(Visit visit, Notice notice) {
    return Reply.done(DomainsPage.path(project(visit)), notice);
  }

  private static LocalRequest at(Visit visit, String operation) {
    return LocalRequest.of(operation)
        .path("project_id", project(visit))
        .path("domain_id", visit.path("domain_id"));
  }

  private static String project(Visit visit) {
    return visit.path("project_id");
  }
}
