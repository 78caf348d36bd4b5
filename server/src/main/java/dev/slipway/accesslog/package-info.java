/** The access log: a line of JSON for each request, in files that are rotated. */
@org.jspecify.annotations.NullMarked
package dev.slipway.accesslog;
