package dev.slipway.db;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The signals that PostgreSQL knows and the JDK cannot send. */
enum Signal {
  /** Fast shutdown: sessions are ended, then a checkpoint. */
  INTERRUPT(2),
  /** Immediate shutdown: the next start recovers from the log. */
  QUIT(3);

  private final int number;

  Signal(int number) {
    this.number = number;
  }

  /** Does nothing when the process has ended. */
  void send(ProcessHandle process) {
    if (process.isAlive()) {
      Kill.call(Math.toIntExact(process.pid()), number);
    }
  }

  /** Apart, so that a start which sends nothing does not pay for the linker. */
  private static final class Kill {
    private static final MethodHandle FUNCTION = link();

    // "restricted": the signature of kill(2) is two ints and an int, which is what stands here.
    @SuppressWarnings("restricted")
    private static MethodHandle link() {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(
          linker.defaultLookup().findOrThrow("kill"),
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    }

    private static void call(int pid, int signal) {
      try {
        var _ = (int) FUNCTION.invokeExact(pid, signal);
      } catch (Throwable e) {
        throw new IllegalStateException("cannot call kill(2)", e);
      }
    }
  }
}
