package dev.slipway.api;

import dev.slipway.core.DomainId;
import dev.slipway.core.ProjectId;
import dev.slipway.domain.Domain;
import dev.slipway.domain.DomainService;
import dev.slipway.edge.Addresses;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectService;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The resource {@code /projects/{project_id}/domains}. */
public final class DomainOperations implements Operations {
  private final DomainService domains;
  private final ProjectService projects;
  private final Paging paging;
  private final Addresses addresses;

  DomainOperations(
      DomainService domains, ProjectService projects, Paging paging, Addresses addresses) {
    this.domains = domains;
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
        "removeDomain", this::remove);
  }

  @Override
  public Map<String, Check> checks() {
    return Map.of("addDomain", this::check);
  }

  record View(
      String id,
      String name,
      String status,
      Optional<String> problem,
      List<RecordView> verification,
      Instant createdAt) {}

  record RecordView(String type, String name, String value) {}

  private Answer list(Call call) {
    Project project = project(call);
    return paging.page(
        call,
        "domains " + project.id(),
        (after, limit) ->
            domains.list(call.account(), project.id(), after.map(DomainId::new), limit),
        domain -> domain.id().value(),
        this::view);
  }

  private Answer add(Call call) {
    Project project = project(call);
    return Answer.created(
        view(domains.add(call.account(), project.id(), call.text("name").orElseThrow())));
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

  private Project project(Call call) {
    return projects.get(call.account(), new ProjectId(call.path("project_id")));
  }

  private static DomainId id(Call call) {
    return new DomainId(call.path("domain_id"));
  }

  private View view(Domain domain) {
    String name = domain.name().value();
    return new View(
        domain.id().value(),
        name,
        domain.state().status().wireName(),
        domain.state().problem(),
        List.of(
            new RecordView("CNAME", name, addresses.hostOfApp(domain.holder().label())),
            new RecordView("TXT", domain.name().challenge(), domain.token())),
        domain.createdAt());
  }
}
