/** Servers that databases are made on: what each kind can do, and what applications get of it. */
@org.jspecify.annotations.NullMarked
package dev.slipway.database;
