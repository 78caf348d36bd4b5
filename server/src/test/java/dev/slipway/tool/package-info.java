/** Tests of the tools that plans need. */
@org.jspecify.annotations.NullMarked
package dev.slipway.tool;
