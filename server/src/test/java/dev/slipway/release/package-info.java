/** Tests of the release store. */
@org.jspecify.annotations.NullMarked
package dev.slipway.release;
