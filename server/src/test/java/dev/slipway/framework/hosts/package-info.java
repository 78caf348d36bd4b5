/** Tests of detection and plans. */
@org.jspecify.annotations.NullMarked
package dev.slipway.framework.hosts;
