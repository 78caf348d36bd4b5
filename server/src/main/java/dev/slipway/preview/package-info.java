/** What pull requests look like when they are deployed, each at an address of its own. */
@NullMarked
package dev.slipway.preview;

import org.jspecify.annotations.NullMarked;
