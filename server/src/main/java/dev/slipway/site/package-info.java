/**
 * Sites: releases that are served as files, without a program. What answers a path, and as what.
 */
@org.jspecify.annotations.NullMarked
package dev.slipway.site;
