/** Recognises what an application is and plans its build and start, as data. */
@org.jspecify.annotations.NullMarked
package dev.slipway.framework;
