/** Tests of fetching, and a git server for other tests. */
@org.jspecify.annotations.NullMarked
package dev.slipway.source.git;
