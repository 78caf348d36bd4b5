package dev.slipway.certificate;

import dev.slipway.core.DomainId;
import dev.slipway.vault.Vault;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Rows of certificates, one for each domain. Every call runs in the caller's transaction. */
public final class CertificateStore {
  private static final String PUT =
      """
      INSERT INTO certificate (domain_id, origin, chain, algorithm, private_key)
      SELECT id, ?, ?, ?, ? FROM domain WHERE id = ?
          ON CONFLICT (domain_id) DO UPDATE
         SET origin = excluded.origin, chain = excluded.chain,
             algorithm = excluded.algorithm, private_key = excluded.private_key
      """;

  // What the user brought is not replaced by what was ordered meanwhile.
  private static final String PUT_ORDERED = PUT + " WHERE certificate.origin = 'ORDERED'";

  private static final String FIND = "SELECT * FROM certificate WHERE domain_id = ANY (?)";

  private static final String SERVED =
      """
      SELECT d.name, md5(c.chain) AS print FROM certificate c JOIN domain d ON d.id = c.domain_id
       WHERE d.status = 'ACTIVE'
      """;

  private static final String BY_NAME =
      """
      SELECT c.*, d.name FROM certificate c JOIN domain d ON d.id = c.domain_id
       WHERE d.status = 'ACTIVE' AND d.name = ANY (?)
      """;

  private static final String DELETE_UPLOADED =
      "DELETE FROM certificate WHERE domain_id = ? AND origin = 'UPLOADED'";

  private final Vault vault;

  public CertificateStore(Vault vault) {
    this.vault = vault;
  }

  /** Where a certificate comes from. */
  enum Origin {
    UPLOADED,
    ORDERED
  }

  /** A row; its key is opened when it is asked for. */
  record Held(Origin origin, CertificateChain chain) {}

  /** False where the domain is gone, or has one of its user's. */
  boolean put(Handle tx, DomainId domain, Origin origin, CertifiedKey certified) {
    String statement =
        switch (origin) {
          case UPLOADED -> PUT;
          case ORDERED -> PUT_ORDERED;
        };
    return tx.execute(
            statement,
            origin.name(),
            certified.chain().pem(),
            certified.key().getAlgorithm(),
            vault.seal(certified.key().getEncoded(), domain.value()),
            domain.value())
        == 1;
  }

  Optional<Held> find(Handle tx, DomainId domain) {
    return Optional.ofNullable(find(tx, Set.of(domain)).get(domain));
  }

  /** Of those of the domains that have one. */
  Map<DomainId, Held> find(Handle tx, Set<DomainId> domains) {
    return tx.createQuery(FIND)
        .bindArray(0, String.class, domains.stream().map(DomainId::value).toList())
        .map((row, context) ->
            Map.entry(
                new DomainId(row.getString("domain_id")),
                new Held(Origin.valueOf(row.getString("origin")), chain(row))))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Of all domains that are served and have one: by the name what tells it from another one. */
  Map<String, String> served(Handle tx) {
    return tx.createQuery(SERVED)
        .map((row, context) -> Map.entry(row.getString("name"), row.getString("print")))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Those of some domains that are served, by the domain's name. */
  Map<String, CertifiedKey> served(Handle tx, Set<String> names) {
    return tx.createQuery(BY_NAME)
        .bindArray(0, String.class, List.copyOf(names))
        .map((row, context) -> Map.entry(row.getString("name"), certified(row)))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** False where there is none that was uploaded. */
  boolean deleteUploaded(Handle tx, DomainId domain) {
    return tx.execute(DELETE_UPLOADED, domain.value()) == 1;
  }

  private CertifiedKey certified(ResultSet row) throws SQLException {
    return new CertifiedKey(
        chain(row),
        KeyText.decode(
            row.getString("algorithm"),
            vault.open(row.getBytes("private_key"), row.getString("domain_id"))));
  }

  private static CertificateChain chain(ResultSet row) throws SQLException {
    return CertificateChain.parse(row.getString("chain"))
        .orElseThrow(() -> new IllegalStateException("a stored certificate is damaged"));
  }
}
