/** Tests of builds. */
@org.jspecify.annotations.NullMarked
package dev.slipway.build;
