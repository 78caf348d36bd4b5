package dev.slipway.build;

import dev.slipway.core.EnvVars;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Variables that the platform gives beside the user's own, which may refer to them.
 *
 * @param version stands for the values in keys, which hold none of them: another one after each
 *     change
 * @param places that they lead to, by name or address, which a build reaches also where they are on
 *     this host
 */
public record ManagedVariables(EnvVars env, String version, List<InetSocketAddress> places) {
  public static final ManagedVariables NONE = new ManagedVariables(EnvVars.NONE, "", List.of());

  public ManagedVariables {
    places = List.copyOf(places);
  }
}
