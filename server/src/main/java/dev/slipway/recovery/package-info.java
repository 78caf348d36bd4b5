/** All that a server has, as one file, and back from it onto any machine. */
@org.jspecify.annotations.NullMarked
package dev.slipway.recovery;
