package dev.slipway.api;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Turns a keyset query into a page with its cursor. */
final class Paging {
  private static final int DEFAULT_LIMIT = 20;

  private final Cursors cursors;

  Paging(Cursors cursors) {
    this.cursors = cursors;
  }

  /**
   * @param filters the request's filters as text: a cursor is good for them alone
   * @param query the records after an id, at most so many
   * @param id a record's id
   * @param view a record as the API shows it
   */
  <T> Answer page(
      Call call,
      String filters,
      BiFunction<Optional<String>, Integer, List<T>> query,
      Function<T, String> id,
      Function<T, ?> view) {
    int limit = call.query("limit").map(Integer::parseInt).orElse(DEFAULT_LIMIT);
    String scope = call.account() + " " + filters;
    Optional<String> after = call.query("cursor").map(cursor -> cursors.decode(cursor, scope));
    // One more than asked for tells whether there is a next page.
    List<T> found = query.apply(after, limit + 1);
    boolean more = found.size() > limit;
    List<T> page = more ? found.subList(0, limit) : found;
    Optional<String> next =
        more ? Optional.of(cursors.encode(id.apply(page.getLast()), scope)) : Optional.empty();
    return new Answer.Listed(
        page.stream().map(view).toList(), new Answer.Pagination(more, next.orElse(null)));
  }
}
