/** Deployments: from queued to live, and back. */
@org.jspecify.annotations.NullMarked
package dev.slipway.deployment;
