/** Runs instances of releases: the interface that every engine implements. */
@org.jspecify.annotations.NullMarked
package dev.slipway.runtime;
