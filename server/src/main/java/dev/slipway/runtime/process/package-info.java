/** Runs instances as sandboxed processes of this host. */
@org.jspecify.annotations.NullMarked
package dev.slipway.runtime.process;
