/** Archives as a source: checked as a whole before anything is written. */
@org.jspecify.annotations.NullMarked
package dev.slipway.source.zip;
