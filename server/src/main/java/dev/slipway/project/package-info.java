/** What is deployed: where it comes from, its settings and variables. */
@org.jspecify.annotations.NullMarked
package dev.slipway.project;
