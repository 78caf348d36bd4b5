/** Migrations: a project and its first deployment. */
@org.jspecify.annotations.NullMarked
package dev.slipway.migration;
