/** Databases of accounts: made or connected, their logins, their backups, and who uses them. */
@org.jspecify.annotations.NullMarked
package dev.slipway.dbproject;
