package dev.slipway.api;

/** What is left to say of a record that was deleted. */
record DeletedView(String id, boolean deleted) {}
