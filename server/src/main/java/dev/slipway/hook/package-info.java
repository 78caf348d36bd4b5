/** What git hosts tell us of pushes and pull requests, and what we tell them of it in return. */
@NullMarked
package dev.slipway.hook;

import org.jspecify.annotations.NullMarked;
