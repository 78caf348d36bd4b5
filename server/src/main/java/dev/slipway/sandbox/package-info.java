/** Runs programs that we do not trust, with what isolation the host allows. */
@org.jspecify.annotations.NullMarked
package dev.slipway.sandbox;
