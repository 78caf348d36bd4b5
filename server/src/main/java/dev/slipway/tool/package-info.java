/** Language tools in the versions that plans ask for: of the host, kept, or fetched. */
@NullMarked
package dev.slipway.tool;

import org.jspecify.annotations.NullMarked;
