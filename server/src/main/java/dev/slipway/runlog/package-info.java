/** The log of a migration or deployment, as the user reads it through the API. */
@org.jspecify.annotations.NullMarked
package dev.slipway.runlog;
