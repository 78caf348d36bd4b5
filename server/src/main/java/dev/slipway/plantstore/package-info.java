/** The sample plant store: a small API beside the main one, with a contract of its own. */
@org.jspecify.annotations.NullMarked
package dev.slipway.plantstore;
