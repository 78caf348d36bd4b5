package dev.slipway.framework;

/**
 * A program that a plan needs, beside what it installs itself.
 *
 * @param name {@code node}, {@code npm}, {@code pnpm}, {@code yarn}, {@code bun}, {@code python},
 *     {@code uv}, {@code poetry}, or of a dump {@code pg_dump}
 * @param range the versions that will do: of {@code python} as PEP 440 writes specifiers, of the
 *     others as npm writes ranges; empty for any
 */
public record Tool(String name, String range) {}
