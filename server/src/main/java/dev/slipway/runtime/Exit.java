package dev.slipway.runtime;

/**
 * How a program ended.
 *
 * @param status its exit status, 128 plus the number for one ended by a signal, -1 if not known
 * @param outOfMemory whether the kernel ended it for going over its memory limit
 */
public record Exit(int status, boolean outOfMemory) {
  /** It is gone and nothing was written down, as after a crash of the host. */
  public static final Exit UNKNOWN = new Exit(-1, false);
}
