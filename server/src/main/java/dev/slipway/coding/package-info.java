/** Content codings of HTTP: how bytes are compressed for those who take it. */
@org.jspecify.annotations.NullMarked
package dev.slipway.coding;
