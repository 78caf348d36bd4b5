/** The server's configuration: records with defaults, read once. */
@org.jspecify.annotations.NullMarked
package dev.slipway.config;
