@org.jspecify.annotations.NullMarked
package dev.slipway.database.mysql;
