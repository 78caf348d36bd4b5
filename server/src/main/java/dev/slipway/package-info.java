/** Puts the server together. */
@org.jspecify.annotations.NullMarked
package dev.slipway;
