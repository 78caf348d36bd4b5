package dev.slipway.domain;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;
import org.xbill.DNS.lookup.LookupSession;
import org.xbill.DNS.lookup.NoSuchDomainException;
import org.xbill.DNS.lookup.NoSuchRRSetException;

/** Asks DNS, each time anew: what was changed a moment ago is seen. Thread-safe; blocks. */
public final class Dns {
  private static final Duration SERVER_LIMIT = Duration.ofSeconds(2);
  private static final Duration QUESTION_LIMIT = Duration.ofSeconds(6);
  private static final Duration LOOK_LIMIT = Duration.ofSeconds(10);

  private final LookupSession session;

  /**
   * @param servers to ask; none means those that this machine asks
   */
  public Dns(List<InetSocketAddress> servers) {
    ExtendedResolver resolver =
        servers.isEmpty()
            ? new ExtendedResolver()
            : new ExtendedResolver(servers.stream().<Resolver>map(SimpleResolver::new).toList());
    for (Resolver server : resolver.getResolvers()) {
      server.setTimeout(SERVER_LIMIT);
    }
    resolver.setTimeout(QUESTION_LIMIT);
    // No cache, no search path and no file of hosts: nothing but what the servers say.
    // Threads of its own, as the pool that all of Java shares may be busy with something slow.
    session =
        LookupSession.builder().resolver(resolver).executor(Thread::startVirtualThread).build();
  }

  /** DNS did not answer, or not with what it knows. */
  static final class UnansweredException extends Exception {
    UnansweredException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Begins to ask. */
  Look look() {
    return new Look();
  }

  /**
   * Questions that belong together. All of them have a time limit in common, as the servers of a
   * name are its owner's: he can make each answer come late.
   */
  final class Look {
    private final long endNanos = System.nanoTime() + LOOK_LIMIT.toNanos();

    /** The name that this one stands for. */
    Optional<String> alias(String name) throws UnansweredException, InterruptedException {
      return records(name, Type.CNAME)
          .flatMap(found -> found instanceof CNAMERecord it ? Stream.of(it) : Stream.of())
          .findFirst()
          .map(found -> found.getTarget().toString(true).toLowerCase(Locale.ROOT));
    }

    /** Its IPv4 and IPv6 addresses, those of the name that it stands for included. */
    Set<InetAddress> addresses(String name) throws UnansweredException, InterruptedException {
      return Stream.concat(records(name, Type.A), records(name, Type.AAAA))
          .flatMap(found ->
              switch (found) {
                case ARecord it -> Stream.of(it.getAddress());
                case AAAARecord it -> Stream.of(it.getAddress());
                default -> Stream.of();
              })
          .collect(Collectors.toSet());
    }

    /** What its TXT records say, each in one piece. */
    Set<String> texts(String name) throws UnansweredException, InterruptedException {
      return records(name, Type.TXT)
          .flatMap(found ->
              found instanceof TXTRecord it
                  ? Stream.of(String.join("", it.getStrings()))
                  : Stream.of())
          .collect(Collectors.toSet());
    }

    private long left() {
      return Math.clamp(
          TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime()),
          0,
          QUESTION_LIMIT.toMillis());
    }

    private Stream<Record> records(String name, int type)
        throws UnansweredException, InterruptedException {
      try {
        return session
            .lookupAsync(Name.fromString(name + "."), type)
            .toCompletableFuture()
            .get(left(), TimeUnit.MILLISECONDS)
            .getRecords()
            .stream();
      } catch (TextParseException e) {
        return Stream.of(); // Too long for a name: there can be no record.
      } catch (ExecutionException e) {
        if (e.getCause() instanceof NoSuchDomainException
            || e.getCause() instanceof NoSuchRRSetException) {
          return Stream.of();
        }
        throw unanswered(name, e.getCause() == null ? e : e.getCause());
      } catch (TimeoutException e) {
        throw unanswered(name, e);
      }
    }
  }

  private static UnansweredException unanswered(String name, Throwable cause) {
    return new UnansweredException(
        "The DNS servers of %s did not answer; it is asked again.".formatted(name), cause);
  }
}
