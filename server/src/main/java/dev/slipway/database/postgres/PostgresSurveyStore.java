package dev.slipway.database.postgres;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.TimedAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Asks a database what must be known before it is dumped, or filled. */
final class PostgresSurveyStore {
  private static final Duration EACH_ANSWER = Duration.ofSeconds(10);
  private static final Duration ALL_ANSWERS = Duration.ofSeconds(30);

  private static final String FACTS =
      """
      SELECT current_setting('server_version_num')::int / 10000 AS major,
             pg_database_size(current_database()) AS size
      """;

  private static final String EXTENSIONS =
      "SELECT extname FROM pg_extension WHERE extname <> 'plpgsql'";

  /** Those that are there, and those that this login may make. */
  private static final String POSSIBLE_EXTENSIONS =
      """
      SELECT extname FROM pg_extension
      UNION
      SELECT name FROM pg_available_extension_versions
      WHERE NOT superuser OR trusted
            OR (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
      """;

  private PostgresSurveyStore() {}

  /**
   * @param major of the server's version, such as 15
   * @param extensions that the database has, {@code plpgsql} excepted
   * @param possible extensions that it has or can get
   */
  record Survey(int major, long sizeBytes, Set<String> extensions, Set<String> possible) {}

  /**
   * @param role of the database in the sentence that says what is wrong: {@code source}
   * @throws AppFailure {@code DATABASE_FAILED} where it cannot be asked
   */
  static Survey survey(DatabaseLink link, String role) throws InterruptedException {
    try {
      return TimedAnswer.within(
          ALL_ANSWERS,
          () -> ask(link),
          () ->
              SessionStore.unreachable(
                  link,
                  "it did not answer all within %d seconds".formatted(ALL_ANSWERS.toSeconds())));
    } catch (AppFailure e) {
      throw unreadable(role, e.failure().message(), e);
    } catch (NumberFormatException | NoSuchElementException | IndexOutOfBoundsException e) {
      throw unreadable(role, "its server answers as no PostgreSQL does", e);
    }
  }

  private static AppFailure unreadable(String role, String why, RuntimeException cause) {
    return new AppFailure(
        FailureCode.DATABASE_FAILED,
        "The %s database cannot be read: %s".formatted(role, why),
        cause);
  }

  private static Survey ask(DatabaseLink link) {
    try (SessionStore session = SessionStore.open(link, EACH_ANSWER, EACH_ANSWER, Map.of())) {
      List<String> facts = session.rows(FACTS).getFirst();
      return new Survey(
          Integer.parseInt(facts.get(0)),
          Long.parseLong(facts.get(1)),
          names(session, EXTENSIONS),
          names(session, POSSIBLE_EXTENSIONS));
    }
  }

  private static Set<String> names(SessionStore session, String query) {
    return session.rows(query).stream()
        .map(List::getFirst)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
