/** Who may use the service: accounts, users, API keys, tiers. */
@org.jspecify.annotations.NullMarked
package dev.slipway.account;
