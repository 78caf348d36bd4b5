@org.jspecify.annotations.NullMarked
package dev.slipway.hook.host;
