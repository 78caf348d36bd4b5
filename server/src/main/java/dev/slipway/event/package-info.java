/** What happened, as others are told of it: written with it, in one order for all who follow. */
@NullMarked
package dev.slipway.event;

import org.jspecify.annotations.NullMarked;
