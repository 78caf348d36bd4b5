/** What the files that an application was run with elsewhere say about its build and start. */
@org.jspecify.annotations.NullMarked
package dev.slipway.framework.hosts;
