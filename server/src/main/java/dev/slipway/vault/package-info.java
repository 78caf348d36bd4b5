/** Encrypts what must not be readable in the store. */
@org.jspecify.annotations.NullMarked
package dev.slipway.vault;
