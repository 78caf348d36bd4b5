package dev.slipway.certificate;

import dev.slipway.core.DomainId;
import dev.slipway.vault.Vault;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.security.KeyPair;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * Rows of what an authority is asked for: the account there, orders under way, and what it asks for
 * in turn. Every call runs in the caller's transaction.
 */
public final class OrderStore {
  // Of two servers that begin at once the first one's key stays.
  private static final String ADD_ACCOUNT =
      "INSERT INTO acme_account (directory, key_pair) VALUES (?, ?) ON CONFLICT DO NOTHING";

  private static final String ACCOUNT = "SELECT * FROM acme_account WHERE directory = ?";

  private static final String LOCATE = "UPDATE acme_account SET location = ? WHERE directory = ?";

  private static final String BEGIN =
      """
      INSERT INTO certificate_order (domain_id, location, key_pair, failures)
      SELECT id, ?, ?, 0 FROM domain WHERE id = ?
          ON CONFLICT (domain_id) DO UPDATE
         SET location = excluded.location, key_pair = excluded.key_pair
      """;

  private static final String FIND = "SELECT * FROM certificate_order WHERE domain_id = ?";

  private static final String PROBLEMS =
      """
      SELECT domain_id AS domain, problem FROM certificate_order
       WHERE domain_id = ANY (?) AND problem IS NOT NULL
      """;

  private static final String FAIL =
      """
      INSERT INTO certificate_order (domain_id, failures, problem)
      SELECT id, 1, ? FROM domain WHERE id = ?
          ON CONFLICT (domain_id) DO UPDATE
         SET failures = certificate_order.failures + 1, problem = excluded.problem
      """;

  private static final String ABANDON =
      "UPDATE certificate_order SET location = NULL, key_pair = NULL WHERE domain_id = ?";

  private static final String END = "DELETE FROM certificate_order WHERE domain_id = ?";

  private static final String CHALLENGE =
      """
      INSERT INTO acme_challenge (token, domain_id, answer) SELECT ?, id, ? FROM domain WHERE id = ?
          ON CONFLICT (token) DO NOTHING
      """;

  private static final String CHALLENGES = "SELECT token, answer FROM acme_challenge";

  private static final String FORGET = "DELETE FROM acme_challenge WHERE domain_id = ?";

  private final Vault vault;

  public OrderStore(Vault vault) {
    this.vault = vault;
  }

  /**
   * @param location where the authority has it; empty before it was told
   */
  record Account(KeyPair keys, Optional<URL> location) {}

  /** The account at an authority; its keys are made with the first call. */
  Account account(Handle tx, URI directory) {
    String owner = directory.toString();
    Optional<Account> known = findAccount(tx, owner);
    if (known.isPresent()) {
      return known.get();
    }
    tx.execute(ADD_ACCOUNT, owner, vault.seal(EcKeys.bytes(EcKeys.next()), owner));
    return findAccount(tx, owner).orElseThrow();
  }

  private Optional<Account> findAccount(Handle tx, String owner) {
    return tx.createQuery(ACCOUNT)
        .bind(0, owner)
        .map((row, context) ->
            new Account(EcKeys.read(vault.open(row.getBytes("key_pair"), owner)), location(row)))
        .findOne();
  }

  void locate(Handle tx, URI directory, Optional<URL> location) {
    tx.execute(LOCATE, location.map(URL::toString).orElse(null), directory.toString());
  }

  /**
   * An order of a domain.
   *
   * @param underWay empty where none is
   * @param problem of the last one that failed
   */
  record Attempt(Optional<UnderWay> underWay, int failures, Optional<String> problem) {
    static final Attempt NONE = new Attempt(Optional.empty(), 0, Optional.empty());
  }

  /**
   * @param keys which the certificate is ordered for
   */
  record UnderWay(URL location, KeyPair keys) {}

  Attempt attempt(Handle tx, DomainId domain) {
    return tx.createQuery(FIND)
        .bind(0, domain.value())
        .map((row, context) ->
            new Attempt(
                underWay(row, domain),
                row.getInt("failures"),
                Optional.ofNullable(row.getString("problem"))))
        .findOne()
        .orElse(Attempt.NONE);
  }

  /** Of those of the domains whose last order failed. */
  Map<DomainId, String> problems(Handle tx, Set<DomainId> domains) {
    return tx.createQuery(PROBLEMS)
        .bindArray(0, String.class, domains.stream().map(DomainId::value).toList())
        .map((row, context) ->
            Map.entry(new DomainId(row.getString("domain")), row.getString("problem")))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private Optional<UnderWay> underWay(ResultSet row, DomainId domain) throws SQLException {
    Optional<URL> location = location(row);
    return location.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new UnderWay(
                location.get(), EcKeys.read(vault.open(row.getBytes("key_pair"), domain.value()))));
  }

  void begin(Handle tx, DomainId domain, UnderWay order) {
    tx.execute(
        BEGIN,
        order.location().toString(),
        vault.seal(EcKeys.bytes(order.keys()), domain.value()),
        domain.value());
  }

  void fail(Handle tx, DomainId domain, String problem) {
    tx.execute(FAIL, problem, domain.value());
  }

  /** The next attempt begins with a new order. */
  void abandon(Handle tx, DomainId domain) {
    tx.execute(ABANDON, domain.value());
  }

  void end(Handle tx, DomainId domain) {
    tx.execute(END, domain.value());
  }

  void expect(Handle tx, DomainId domain, String token, String answer) {
    tx.execute(CHALLENGE, token, answer, domain.value());
  }

  void forgetChallenges(Handle tx, DomainId domain) {
    tx.execute(FORGET, domain.value());
  }

  /** What to answer to each token. */
  Map<String, String> challenges(Handle tx) {
    return tx.createQuery(CHALLENGES)
        .map((row, context) -> Map.entry(row.getString("token"), row.getString("answer")))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static Optional<URL> location(ResultSet row) throws SQLException {
    String location = row.getString("location");
    try {
      return location == null ? Optional.empty() : Optional.of(URI.create(location).toURL());
    } catch (MalformedURLException e) {
      throw new IllegalStateException("a stored address is damaged: " + location, e);
    }
  }
}
