/** Measures Slipway against the raw commands, side by side in one run. Depends on its HTTP API. */
@org.jspecify.annotations.NullMarked
package dev.slipway.bench;
