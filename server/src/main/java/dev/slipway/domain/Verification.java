package dev.slipway.domain;

import dev.slipway.core.AccountId;
import dev.slipway.edge.Addresses;
import java.net.InetAddress;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether DNS gives a name to who holds it here. An alias of the project's own host name does: who
 * set it meant this project. Addresses alone do not, as every project is behind the same ones; with
 * them a TXT record must name the account.
 */
final class Verification {
  private static final int MAX_ALIASES = 8;

  private final Dns dns;
  private final Addresses addresses;

  Verification(Dns dns, Addresses addresses) {
    this.dns = dns;
    this.addresses = addresses;
  }

  Finding look(Domain domain) throws InterruptedException {
    try {
      return found(domain);
    } catch (Dns.UnansweredException e) {
      return new Finding.Unknown(String.valueOf(e.getMessage()));
    }
  }

  /** Whether a TXT record says that the account may have the name; false where DNS says nothing. */
  boolean isClaimed(AccountId account, DomainName name) throws InterruptedException {
    try {
      return dns.look().texts(name.challenge()).contains(Holder.token(account, name));
    } catch (Dns.UnansweredException e) {
      return false;
    }
  }

  private Finding found(Domain domain) throws Dns.UnansweredException, InterruptedException {
    String name = domain.name().value();
    String host = addresses.hostOfApp(domain.holder().label());
    String last = name;
    Dns.Look look = dns.look();
    for (int i = 0; i < MAX_ALIASES; i++) {
      Optional<String> next = look.alias(last);
      if (next.isEmpty()) {
        break;
      }
      last = next.get();
      if (last.equals(host)) {
        return new Finding.Here();
      }
    }
    Set<InetAddress> found = look.addresses(name);
    if (!found.isEmpty() && look.addresses(host).containsAll(found)) {
      return look.texts(domain.name().challenge()).contains(domain.token())
          ? new Finding.Here()
          : new Finding.Elsewhere(
              "The address of %s leads here, but nothing says whose it is: set the TXT record %s to %s."
                  .formatted(name, domain.name().challenge(), domain.token()));
    }
    return new Finding.Elsewhere(elsewhere(name, host, last, found));
  }

  private static String elsewhere(String name, String host, String last, Set<InetAddress> found) {
    if (!last.equals(name)) {
      return "%s points to %s; it should point to %s.".formatted(name, last, host);
    }
    return found.isEmpty()
        ? "There is no DNS record of %s: set a CNAME to %s.".formatted(name, host)
        : "%s points to %s, which is not the address of %s."
            .formatted(
                name,
                found.stream()
                    .map(InetAddress::getHostAddress)
                    .sorted()
                    .limit(4)
                    .collect(Collectors.joining(", ")),
                host);
  }
}
