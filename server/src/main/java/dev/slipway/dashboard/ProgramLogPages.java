package dev.slipway.dashboard;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.InstanceId;
import dev.slipway.core.RequestException;
import dev.slipway.deployment.DeploymentHistory;
import dev.slipway.deployment.DeploymentService;
import dev.slipway.deployment.ProgramLog;
import dev.slipway.deployment.ProgramPlaces;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the program prints that serves a project. */
final class ProgramLogPages implements Pages {
  private static final int BATCH = 1_000;

  private final ProjectHeads heads;
  private final DeploymentService deployments;

  ProgramLogPages(ProjectHeads heads, DeploymentService deployments) {
    this.heads = heads;
    this.deployments = deployments;
  }

  @Override
  public void mount(Site site) {
    site.get("/projects/:id/logs", this::show);
    site.get("/projects/:id/logs.txt", this::whole);
  }

  private Reply show(Visit visit) {
    ProjectFacts project = ProjectFacts.of(visit, visit.path("id"));
    Optional<DeploymentHistory.Entry> live = heads.live(visit, project);
    ProjectHead head = heads.of(visit, project, live);
    ProgramLogPage page;
    if (live.isEmpty()) {
      page = new ProgramLogPage(head, Optional.empty(), "Nothing serves this project yet.");
    } else if (live.get().site()) {
      page =
          new ProgramLogPage(
              head,
              Optional.empty(),
              "This project is a site: its files are served as they are, and no program runs that could print anything.");
    } else {
      page = new ProgramLogPage(head, Optional.of(view(visit, project, live.get())), "");
    }
    return Reply.page("projects/logs.jte", "Logs, " + project.name(), Section.PROJECTS, page);
  }

  private LogView view(Visit visit, ProjectFacts project, DeploymentHistory.Entry live) {
    DeploymentId id = live.deployment().id();
    List<LogLine> lines = new ArrayList<>();
    String read = "";
    for (ProgramLog.Line line : log(visit, id).newest(LogView.MAX_LINES)) {
      lines.add(shown(lines.size() + 1, line));
      read = line.place();
    }
    return new LogView(
        "Output of the application",
        LogView.fitting(lines),
        Optional.of(DeploymentLine.path(id.value()) + "/log?stream=app"),
        Optional.of(read),
        Optional.of(project.path() + "/logs.txt"),
        Optional.empty(),
        Optional.empty());
  }

  private static LogLine shown(long number, ProgramLog.Line line) {
    return line.instance()
        .map(it -> LogLine.printed(number, line.entry(), it.value()))
        .orElseGet(() -> LogLine.of(number, line.entry()));
  }

  /** All of it as text, read as it is sent. */
  private Reply whole(Visit visit) {
    ProjectFacts project = ProjectFacts.of(visit, visit.path("id"));
    DeploymentId id =
        project
            .liveDeploymentId()
            .map(DeploymentId::new)
            .orElseThrow(() ->
                new RequestException(ErrorCode.NOT_FOUND, "Nothing serves this project yet."));
    ProgramLog log = log(visit, id);
    return new Reply.Text(
        id + ".log",
        Stream.iterate(log.next(BATCH), it -> !it.isEmpty(), _ -> log.next(BATCH))
            .map(ProgramLogPages::text)
            .iterator());
  }

  private ProgramLog log(Visit visit, DeploymentId id) {
    return deployments.programLog(account(visit), id, ProgramPlaces.begin());
  }

  private static AccountId account(Visit visit) {
    return visit.who().account().id();
  }

  private static String text(List<ProgramLog.Line> lines) {
    return lines.stream().map(ProgramLogPages::text).collect(Collectors.joining());
  }

  /** When a line was printed nobody knows: in place of its time it has its instance. */
  private static String text(ProgramLog.Line line) {
    return "%s  %s\n"
        .formatted(
            line.instance()
                .map(InstanceId::value)
                .orElseGet(() -> line.entry().timestamp().toString()),
            line.entry().message());
  }
}
