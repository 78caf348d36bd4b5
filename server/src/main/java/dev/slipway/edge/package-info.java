/** Traffic of the apps: host name to route to instance. */
@org.jspecify.annotations.NullMarked
package dev.slipway.edge;
