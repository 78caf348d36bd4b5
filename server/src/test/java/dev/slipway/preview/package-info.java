@org.jspecify.annotations.NullMarked
package dev.slipway.preview;
