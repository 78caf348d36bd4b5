/** The real program, seen from outside: its processes, its port, its files. */
@NullMarked
package dev.slipway.acceptance;

import org.jspecify.annotations.NullMarked;
