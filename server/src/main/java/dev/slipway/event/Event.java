package dev.slipway.event;

import dev.slipway.core.AccountId;
import dev.slipway.core.EventId;
import dev.slipway.core.ProjectId;
import java.time.Instant;

/**
 * Something that happened.
 *
 * @param project which it happened in
 * @param resource the id of what it happened to
 * @param sequence counts the events of the resource, from 1
 * @param body as it is sent: JSON with {@code type}, {@code timestamp}, {@code sequence} and {@code
 *     data}, the resource as the API showed it then
 */
public record Event(
    EventId id,
    AccountId accountId,
    ProjectId projectId,
    EventType type,
    String resource,
    long sequence,
    String body,
    Instant at) {}
