package dev.slipway.config;

/**
 * @param ports leased to instances that share the machine's network
 */
public record RuntimeConfig(PortRange ports) {
  public static final RuntimeConfig DEFAULTS = new RuntimeConfig(new PortRange(21_000, 28_999));

  static RuntimeConfig read(Section section) {
    PortRange ports = section.value("ports", DEFAULTS.ports, Kinds.PORT_RANGE);
    section.end();
    return new RuntimeConfig(ports);
  }
}
