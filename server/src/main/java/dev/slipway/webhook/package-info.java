/** Events that are sent to endpoints of the accounts' own, as Standard Webhooks describes it. */
@NullMarked
package dev.slipway.webhook;

import org.jspecify.annotations.NullMarked;
