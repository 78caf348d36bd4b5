/**
 * What each project's requests and instances took: counted here, kept by the minute in the store.
 */
@org.jspecify.annotations.NullMarked
package dev.slipway.metric;
