/** Values that every other package speaks in: ids, secrets, pages, errors. No I/O. */
@org.jspecify.annotations.NullMarked
package dev.slipway.core;
