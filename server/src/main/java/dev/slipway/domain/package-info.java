/** Host names of the users' own that lead to their projects, as far as DNS says that they do. */
@org.jspecify.annotations.NullMarked
package dev.slipway.domain;
