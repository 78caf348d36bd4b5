/** From a commit to a release. */
@org.jspecify.annotations.NullMarked
package dev.slipway.build;
