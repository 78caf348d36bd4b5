package dev.slipway.sandbox;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * A filter of system calls that keeps a program from making user namespaces: those give it all
 * capabilities inside, and with them the parts of the kernel where most holes were found.
 *
 * <p>In the form that {@code bwrap --seccomp} reads: {@code struct sock_filter} of linux/filter.h.
 */
final class SeccompFilter {
  private static final int NEW_USER_NAMESPACE = 0x10000000;
  private static final int X32_CALLS = 0x40000000;
  private static final int CLONE3 = 435;

  private static final int LOAD = 0x20; // BPF_LD | BPF_W | BPF_ABS
  private static final int IF_EQUAL = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
  private static final int IF_AT_LEAST = 0x35; // BPF_JMP | BPF_JGE | BPF_K
  private static final int IF_ANY_BIT = 0x45; // BPF_JMP | BPF_JSET | BPF_K
  private static final int RETURN = 0x06; // BPF_RET | BPF_K

  private static final int NUMBER = 0; // offsets in struct seccomp_data, little-endian
  private static final int ARCHITECTURE = 4;
  private static final int FIRST_ARGUMENT = 16;

  private static final int ALLOW = 0x7fff0000;
  private static final int EPERM = 0x00050001;
  private static final int ENOSYS = 0x00050026;

  private SeccompFilter() {}

  /** Empty for a processor whose numbers are not known here. */
  static Optional<byte[]> forThisMachine() {
    return switch (System.getProperty("os.arch")) {
      case "amd64" -> Optional.of(filter(0xC000003E, 56, 272));
      case "aarch64" -> Optional.of(filter(0xC00000B7, 220, 97));
      default -> Optional.empty();
    };
  }

  private static byte[] filter(int architecture, int clone, int unshare) {
    ByteBuffer code = ByteBuffer.allocate(8 * 13).order(ByteOrder.nativeOrder());
    step(code, LOAD, 0, 0, ARCHITECTURE);
    step(code, IF_EQUAL, 0, 9, architecture); // else 11: the other call tables of the machine
    step(code, LOAD, 0, 0, NUMBER);
    step(code, IF_AT_LEAST, 7, 0, X32_CALLS); // 11
    // Its flags are behind a pointer, which a filter cannot follow; libraries fall back to clone.
    step(code, IF_EQUAL, 6, 0, CLONE3); // 11
    step(code, IF_EQUAL, 1, 0, clone); // 7
    step(code, IF_EQUAL, 0, 2, unshare); // else 9
    step(code, LOAD, 0, 0, FIRST_ARGUMENT);
    step(code, IF_ANY_BIT, 1, 0, NEW_USER_NAMESPACE); // 10
    step(code, RETURN, 0, 0, ALLOW);
    step(code, RETURN, 0, 0, EPERM);
    step(code, RETURN, 0, 0, ENOSYS);
    code.flip();
    byte[] bytes = new byte[code.remaining()];
    code.get(bytes);
    return bytes;
  }

  /**
   * @param then how many steps to skip where the condition holds, {@code otherwise} where not
   */
  private static void step(ByteBuffer code, int operation, int then, int otherwise, int value) {
    code.putShort((short) operation).put((byte) then).put((byte) otherwise).putInt(value);
  }
}
