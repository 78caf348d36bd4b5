/** Releases: immutable, content-addressed artifacts on disk. */
@org.jspecify.annotations.NullMarked
package dev.slipway.release;
