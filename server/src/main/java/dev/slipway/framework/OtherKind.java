package dev.slipway.framework;

/**
 * An application that no framework here recognises: two parts of what the user is told.
 *
 * @param found goes on after "No framework was recognised:", without a full stop
 * @param advice sentences on what can be done
 */
public record OtherKind(String found, String advice) {}
