/** MySQL and MariaDB: a server that the operator names, and how its databases are copied. */
@org.jspecify.annotations.NullMarked
package dev.slipway.database.mysql;
