/** The command line. */
@org.jspecify.annotations.NullMarked
package dev.slipway.cli;
