/** The pages that people see in a browser: made here whole, by the operations of the API. */
@org.jspecify.annotations.NullMarked
package dev.slipway.dashboard;
