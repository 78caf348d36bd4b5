package dev.slipway.database.mysql;

import dev.slipway.core.AppFailure;
import dev.slipway.database.DatabaseFacts;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.TimedAnswer;
import java.time.Duration;

/** Asks a database about itself, with its own login. */
final class MysqlSurvey {
  private static final Duration EACH_ANSWER = Duration.ofSeconds(9);

  private MysqlSurvey() {}

  /**
   * @param limit for all of it
   * @throws AppFailure {@code DATABASE_UNREACHABLE}, or {@code DATABASE_FAILED} with what the
   *     server says
   */
  static DatabaseFacts facts(DatabaseLink link, Duration limit) throws InterruptedException {
    return TimedAnswer.within(
        limit,
        () -> ask(link),
        () ->
            MysqlSessionStore.unreachable(
                link, "it did not answer within %d seconds".formatted(limit.toSeconds())));
  }

  private static DatabaseFacts ask(DatabaseLink link) {
    try (MysqlSessionStore session = MysqlSessionStore.open(link, EACH_ANSWER)) {
      return new MysqlAdminStore(session).facts(link.place().name());
    } catch (AppFailure e) {
      throw e;
    } catch (RuntimeException _) { // whoever listens there may answer whatever it likes
      throw MysqlSessionStore.unreachable(link, "what it answers is not what a MySQL does");
    }
  }
}
