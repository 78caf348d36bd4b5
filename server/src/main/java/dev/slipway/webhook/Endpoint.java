package dev.slipway.webhook;

import dev.slipway.core.AccountId;
import dev.slipway.core.WebhookId;

/** Whom something may be sent to, as far as it matters for who comes next. */
record Endpoint(WebhookId id, AccountId account) {}
