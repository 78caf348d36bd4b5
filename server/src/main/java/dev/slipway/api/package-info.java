/** The REST API: routes from the contract, one handler class a resource, the error shape. */
@org.jspecify.annotations.NullMarked
package dev.slipway.api;
