package dev.slipway.api;

/** How to log in to a database. */
record ConnectionView(
    String url, String host, int port, String user, String password, String database) {}
