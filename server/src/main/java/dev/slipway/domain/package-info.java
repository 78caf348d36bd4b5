/** Host names of the users' own that shall lead to their projects: what was asked for so far. */
@org.jspecify.annotations.NullMarked
package dev.slipway.domain;
