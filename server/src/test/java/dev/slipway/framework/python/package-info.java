/** Tests of what is read from applications in Python. */
@org.jspecify.annotations.NullMarked
package dev.slipway.framework.python;
