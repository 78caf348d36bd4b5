/** The APIs of git hosts, as far as we tell them something. */
@NullMarked
package dev.slipway.hook.host;

import org.jspecify.annotations.NullMarked;
