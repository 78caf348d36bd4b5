@org.jspecify.annotations.NullMarked
package dev.slipway.job;
