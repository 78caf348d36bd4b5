package dev.slipway.certificate;

import dev.slipway.core.DomainId;
import dev.slipway.db.Database;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.Problem;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.challenge.Http01Challenge;
import org.shredzone.acme4j.connector.NetworkSettings;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeNetworkException;
import org.shredzone.acme4j.exception.AcmeRateLimitedException;
import org.shredzone.acme4j.exception.AcmeServerException;
import org.shredzone.acme4j.provider.GenericAcmeProvider;

/**
 * The authority that certificates are ordered from. An order is written down before it is worked
 * on: whoever is interrupted goes on with it and does not ask for another one. Blocks; thread-safe.
 */
public final class Authority {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Set<Status> VALIDATED =
      EnumSet.of(Status.READY, Status.PROCESSING, Status.VALID, Status.INVALID);
  private static final Set<Status> UNDECIDED =
      EnumSet.of(Status.PENDING, Status.READY, Status.PROCESSING);
  private static final String NO_SUCH_ACCOUNT = "urn:ietf:params:acme:error:accountDoesNotExist";

  private final Database database;
  private final OrderStore store;
  private final TlsTables tables;
  private final Settings settings;
  private final Session session;
  private final Optional<EdgeCheck> edge;

  /**
   * How it is reached.
   *
   * @param trust for its own certificate; empty: what this machine trusts
   */
  public record Settings(URI directory, String email, Optional<SSLContext> trust) {}

  public Authority(Database database, OrderStore store, TlsTables tables, Settings settings) {
    this(database, store, tables, settings, Optional.empty());
  }

  /**
   * @param edge where it is another process
   */
  public Authority(
      Database database,
      OrderStore store,
      TlsTables tables,
      Settings settings,
      Optional<EdgeCheck> edge) {
    this.edge = edge;
    this.database = database;
    this.store = store;
    this.tables = tables;
    this.settings = settings;
    this.session = new Session(settings.directory(), new Provider(settings.trust()));
  }

  /** The order was refused for good; the message says why, in the authority's words. */
  static final class RefusedException extends Exception {
    RefusedException(String message) {
      super(message);
    }
  }

  /** The authority has not decided in the time that it was given; the order stands. */
  static final class UndecidedException extends Exception {
    UndecidedException() {
      super("the authority has not decided yet");
    }
  }

  /** Orders a certificate for a name, or goes on with an order that is under way. */
  CertifiedKey certify(DomainId domain, String name)
      throws AcmeException, RefusedException, UndecidedException, InterruptedException {
    Login login = login();
    try {
      OrderStore.UnderWay underWay = underWay(domain, name, login);
      CertifiedKey certified =
          complete(domain, login.bindOrder(underWay.location()), underWay.keys());
      forgetChallenges(domain);
      return certified;
    } catch (RefusedException e) {
      abandon(domain);
      throw e;
    } catch (AcmeNetworkException | AcmeRateLimitedException e) {
      throw e; // The order is as good as before, and it may be asking for the name right now.
    } catch (AcmeException e) {
      // Also of an order or an account that the authority does not know any more.
      abandon(domain);
      if (e instanceof AcmeServerException told
          && NO_SUCH_ACCOUNT.equals(told.getType().toString())) {
        database.useTransaction(tx -> store.locate(tx, settings.directory(), Optional.empty()));
      }
      throw e;
    }
  }

  private Login login() throws AcmeException {
    OrderStore.Account account =
        database.inTransaction(tx -> store.account(tx, settings.directory()));
    if (account.location().isPresent()) {
      return session.login(account.location().get(), account.keys());
    }
    // With keys that it knows the authority answers the account that there is.
    Login login =
        new AccountBuilder()
            .addEmail(settings.email())
            .agreeToTermsOfService()
            .useKeyPair(account.keys())
            .createLogin(session);
    URL location = login.getAccountLocation();
    database.useTransaction(tx -> store.locate(tx, settings.directory(), Optional.of(location)));
    return login;
  }

  private OrderStore.UnderWay underWay(DomainId domain, String name, Login login)
      throws AcmeException {
    Optional<OrderStore.UnderWay> present =
        database.read(tx -> store.attempt(tx, domain)).underWay();
    if (present.isPresent()) {
      return present.get();
    }
    Order order = login.newOrder().domain(name).create();
    OrderStore.UnderWay next = new OrderStore.UnderWay(order.getLocation(), EcKeys.next());
    database.useTransaction(tx -> store.begin(tx, domain, next));
    return next;
  }

  private CertifiedKey complete(DomainId domain, Order order, KeyPair keys)
      throws AcmeException, RefusedException, UndecidedException, InterruptedException {
    order.fetch();
    if (order.getStatus() == Status.PENDING) {
      for (Authorization authorization : order.getAuthorizations()) {
        prove(domain, authorization);
      }
      order.waitForStatus(VALIDATED, LIMIT);
    }
    if (order.getStatus() == Status.READY) {
      order.execute(keys);
      order.waitForCompletion(LIMIT);
    }
    if (UNDECIDED.contains(order.getStatus())) {
      throw new UndecidedException();
    }
    if (order.getStatus() != Status.VALID) {
      throw new RefusedException(words(order.getError(), "the order is " + order.getStatus()));
    }
    List<X509Certificate> chain = order.getCertificate().getCertificateChain();
    return new CertifiedKey(new CertificateChain(chain), keys.getPrivate());
  }

  /** Shows that the name leads here: the authority asks the edge for an answer it can know here. */
  private void prove(DomainId domain, Authorization authorization)
      throws AcmeException, RefusedException, UndecidedException, InterruptedException {
    if (authorization.getStatus() == Status.VALID) {
      return;
    }
    Http01Challenge challenge =
        authorization
            .findChallenge(Http01Challenge.class)
            .orElseThrow(() -> new RefusedException("the authority does not ask by HTTP"));
    String answer = challenge.getAuthorization();
    var _ =
        tables.changing(tx -> {
          store.expect(tx, domain, challenge.getToken(), answer);
          return answer;
        });
    if (challenge.getStatus() == Status.PENDING) {
      if (edge.isPresent()) {
        edge.get().await(challenge.getToken(), answer);
      }
      challenge.trigger();
    }
    Status proven = authorization.waitForCompletion(LIMIT);
    if (UNDECIDED.contains(proven)) {
      throw new UndecidedException();
    }
    if (proven != Status.VALID) {
      throw new RefusedException(
          words(
              authorization.findChallenge(Http01Challenge.class).flatMap(Challenge::getError),
              "the name was not found to lead here"));
    }
  }

  private static String words(Optional<Problem> problem, String otherwise) {
    return problem.flatMap(Problem::getDetail).orElse(otherwise);
  }

  private void abandon(DomainId domain) {
    database.useTransaction(tx -> store.abandon(tx, domain));
    forgetChallenges(domain);
  }

  private void forgetChallenges(DomainId domain) {
    var _ =
        tables.changing(tx -> {
          store.forgetChallenges(tx, domain);
          return domain;
        });
  }

  /** A private authority may have a certificate that this machine does not trust. */
  private static final class Provider extends GenericAcmeProvider {
    private final Optional<SSLContext> trust;

    Provider(Optional<SSLContext> trust) {
      this.trust = trust;
    }

    @Override
    public HttpClient createHttpClient(NetworkSettings network) {
      HttpClient.Builder builder =
          HttpClient.newBuilder()
              .followRedirects(HttpClient.Redirect.NORMAL)
              .connectTimeout(network.getTimeout());
      trust.ifPresent(builder::sslContext);
      return builder.build();
    }
  }
}
