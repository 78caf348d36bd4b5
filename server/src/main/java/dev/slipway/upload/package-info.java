/** Archives that were uploaded, for as long as something needs them. */
@org.jspecify.annotations.NullMarked
package dev.slipway.upload;
