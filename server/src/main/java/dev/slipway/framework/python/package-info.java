/** Applications written in Python: their manifests, their source, their plans. */
@org.jspecify.annotations.NullMarked
package dev.slipway.framework.python;
