package dev.slipway.sandbox;

/**
 * How a program ended.
 *
 * @param status its exit status, 128 plus the number for one ended by a signal, -1 if not known
 * @param outOfMemory whether it failed after the kernel had ended a process of it for going over
 *     its memory limit
 * @param outOfProcesses whether it failed after it had been refused another process
 */
public record Ending(int status, boolean outOfMemory, boolean outOfProcesses) {
  /** It is gone and nothing was written down, as after a crash of the host. */
  public static final Ending UNKNOWN = new Ending(-1, false, false);
}
