/** Running copies of releases: leased, started, watched, adopted, stopped. */
@org.jspecify.annotations.NullMarked
package dev.slipway.instance;
