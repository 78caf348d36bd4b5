@org.jspecify.annotations.NullMarked
package dev.slipway.webhook;
