package dev.slipway.dashboard;

import java.util.Optional;

/**
 * @param email as it was typed
 * @param next where to go then
 * @param problem why it did not work
 */
public record SignInPage(String email, String next, Optional<String> problem) {}
