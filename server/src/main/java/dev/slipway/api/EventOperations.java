package dev.slipway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.core.AccountId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.EventId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import dev.slipway.event.Event;
import dev.slipway.event.Events;
import dev.slipway.project.ProjectService;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The resource {@code /events}. */
public final class EventOperations implements Operations {
  private static final int BATCH = 100;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Events events;
  private final ProjectService projects;
  private final EventStreams streams;
  private final Paging paging;

  EventOperations(Events events, ProjectService projects, EventStreams streams, Paging paging) {
    this.events = events;
    this.projects = projects;
    this.streams = streams;
    this.paging = paging;
  }

  @Override
  public Map<String, Handler> handlers() {
    return Map.of("listEvents", this::list);
  }

  @Override
  public Map<String, Check> checks() {
    return Map.of(
        "listEvents",
        (call, faults) -> EventStreams.check(call, faults, id -> id.startsWith("evt_")));
  }

  private Answer list(Call call) throws InterruptedException {
    Optional<ProjectId> project = call.query("project_id").map(ProjectId::new);
    project.ifPresent(id -> projects.getEvenDeleted(call.account(), id));
    if (call.http().isPresent() && EventStreams.wanted(call)) {
      return streams.follow(call, new Followed(events, call.account(), cursor(call, project)));
    }
    return paging.page(
        call,
        "events " + project,
        (after, limit) -> events.list(call.account(), project, after.map(Long::parseLong), limit),
        placed -> Long.toString(placed.place()),
        placed -> view(placed.event()));
  }

  private Events.Cursor cursor(Call call, Optional<ProjectId> project) {
    Optional<EventId> last = EventStreams.lastEventId(call).map(EventId::new);
    if (last.isEmpty()) {
      return events.fromNow(call.account(), project);
    }
    return events
        .after(call.account(), project, last.get())
        .orElseThrow(() ->
            new RequestException(
                ErrorCode.INVALID_REQUEST,
                "Last-Event-ID: there is no event %s, or not any more; events are kept for 30 days. Begin without it."
                    .formatted(last.get())));
  }

  /** What is sent of it, with its id in front. */
  private static JsonNode view(Event event) {
    ObjectNode view = JsonNodeFactory.instance.objectNode();
    view.put("id", event.id().value());
    Json.read(event.body().getBytes(StandardCharsets.UTF_8))
        .properties()
        .forEach(it -> view.set(it.getKey(), it.getValue()));
    return view;
  }

  /** Events as a stream: the data is what a webhook is sent, the id its {@code webhook-id}. */
  private record Followed(Events events, AccountId account, Events.Cursor cursor)
      implements EventStreams.Source {
    @Override
    public Optional<Buffer> next() {
      List<Event> batch = cursor.next(BATCH);
      Buffer text = Buffer.buffer();
      batch.forEach(event ->
          EventStreams.append(
              text,
              event.id().value(),
              event.type().wireName(),
              event.body().getBytes(StandardCharsets.UTF_8)));
      return batch.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    @Override
    public boolean mayGrow() {
      return true;
    }

    @Override
    public EventStreams.Watch watch(Runnable onChange) {
      events.follow(account, onChange);
      return () -> events.unfollow(account, onChange);
    }

    @Override
    public Duration patience() {
      return PATIENCE;
    }
  }
}
