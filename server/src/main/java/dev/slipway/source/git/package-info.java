/** Fetches commits from git hosts. */
@org.jspecify.annotations.NullMarked
package dev.slipway.source.git;
