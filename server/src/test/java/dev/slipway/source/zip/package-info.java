@org.jspecify.annotations.NullMarked
package dev.slipway.source.zip;
