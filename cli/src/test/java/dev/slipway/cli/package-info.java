@org.jspecify.annotations.NullMarked
package dev.slipway.cli;
