package dev.slipway.api;

import dev.slipway.certificate.CertificateService;
import dev.slipway.core.DomainId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.Secret;
import dev.slipway.domain.Domain;
import dev.slipway.domain.DomainService;
import dev.slipway.edge.Addresses;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectService;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The resource {@code /projects/{project_id}/domains}. */
public final class DomainOperations implements Operations {
  private final DomainService domains;
  private final CertificateService certificates;
  private final ProjectService projects;
  private final Paging paging;
  private final Addresses addresses;

  DomainOperations(
      DomainService domains,
      CertificateService certificates,
      ProjectService projects,
      Paging paging,
      Addresses addresses) {
    this.domains = domains;
    this.certificates = certificates;
    this.projects = projects;
    this.paging = paging;
    this.addresses = addresses;
  }

  @Override
  public Map<String, Handler> handlers() {
    return Map.of(
        "listDomains", this::list,
        "addDomain", this::add,
        "getDomain", this::get,
        "removeDomain", this::remove,
        "putCertificate", this::putCertificate,
        "removeCertificate", this::removeCertificate);
  }

  @Override
  public Map<String, Check> checks() {
    return Map.of("addDomain", this::check);
  }

  @Override
  public Map<String, Preparation> preparations() {
    return Map.of("addDomain", DomainClaim.asked(domains, "name"));
  }

  record View(
      String id,
      String name,
      String status,
      Optional<String> problem,
      List<RecordView> verification,
      Optional<CertificateView> certificate,
      Instant createdAt) {}

  record CertificateView(String origin, String issuer, Instant expiresAt) {
    static Optional<CertificateView> of(CertificateService.Summary summary) {
      return summary
          .chain()
          .map(chain ->
              new CertificateView(
                  summary.uploaded() ? "uploaded" : "ordered", chain.issuer(), chain.expiresAt()));
    }
  }

  record RecordView(String type, String name, String value) {}

  private Answer list(Call call) {
    Project project = project(call);
    return paging.page(
        call,
        "domains " + project.id(),
        (after, limit) ->
            described(domains.list(call.account(), project.id(), after.map(DomainId::new), limit)),
        described -> described.domain().id().value(),
        described -> view(described.domain(), described.certificate()));
  }

  private Answer add(Call call) {
    Project project = project(call);
    String name = call.text("name").orElseThrow();
    return Answer.created(
        view(domains.add(call.account(), project.id(), name, DomainClaim.of(call))));
  }

  private void check(Call call, Faults faults) {
    call.text("name")
        .ifPresent(
            name -> domains.fault(name).ifPresent(fault -> faults.add("name", name + " " + fault)));
  }

  private Answer get(Call call) {
    Project project = project(call);
    return Answer.ok(view(domains.get(call.account(), project.id(), id(call))));
  }

  private Answer remove(Call call) {
    domains.remove(call.account(), new ProjectId(call.path("project_id")), id(call));
    return Answer.ok(new DeletedView(id(call).value(), true));
  }

  private Answer putCertificate(Call call) {
    return Answer.ok(
        view(
            certificates.put(
                call.account(),
                new ProjectId(call.path("project_id")),
                id(call),
                call.text("certificate").orElseThrow(),
                new Secret(call.text("private_key").orElseThrow()))));
  }

  private Answer removeCertificate(Call call) {
    certificates.remove(call.account(), new ProjectId(call.path("project_id")), id(call));
    return Answer.ok(new DeletedView(id(call).value(), true));
  }

  private Project project(Call call) {
    return projects.get(call.account(), new ProjectId(call.path("project_id")));
  }

  private static DomainId id(Call call) {
    return new DomainId(call.path("domain_id"));
  }

  private record Described(Domain domain, CertificateService.Summary certificate) {}

  private List<Described> described(List<Domain> all) {
    Map<DomainId, CertificateService.Summary> summaries = certificates.summaries(all);
    return all.stream()
        .map(it -> new Described(it, Objects.requireNonNull(summaries.get(it.id()))))
        .toList();
  }

  private View view(Domain domain) {
    return view(domain, certificates.summary(domain));
  }

  /** As a read in this transaction shows it. */
  View view(Handle tx, Domain domain) {
    return view(domain, certificates.summary(tx, domain));
  }

  private View view(Domain domain, CertificateService.Summary certificate) {
    String name = domain.name().value();
    return new View(
        domain.id().value(),
        name,
        domain.state().status().wireName(),
        domain.state().problem().or(certificate::problem),
        List.of(
            new RecordView("CNAME", name, addresses.hostOfApp(domain.holder().label())),
            new RecordView("TXT", domain.name().challenge(), domain.token())),
        CertificateView.of(certificate),
        domain.createdAt());
  }
}
