/** Where an application's code comes from. */
@org.jspecify.annotations.NullMarked
package dev.slipway.source;
