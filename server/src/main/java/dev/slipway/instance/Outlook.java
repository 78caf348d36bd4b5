package dev.slipway.instance;

import java.time.Duration;
import java.util.List;

/** What comes of waiting on, as one start of a program is looked at again and again. */
final class Outlook {
  private final Patience patience;
  private Sight sight = new Sight.Unclear();
  private Duration since = Duration.ZERO;
  private boolean told;
  private List<String> printed = List.of();
  private Duration quietSince = Duration.ZERO;
  private Duration now = Duration.ZERO;

  Outlook(Patience patience) {
    this.patience = patience;
  }

  /**
   * One more look.
   *
   * @param at from the start on
   * @param lastLines that the program has printed
   */
  void look(Duration at, Sight seen, List<String> lastLines) {
    now = at;
    if (!seen.equals(sight)) {
      sight = seen;
      since = at;
      told = false;
    }
    if (!lastLines.equals(printed)) {
      printed = lastLines;
      quietSince = at;
    }
  }

  Sight sight() {
    return sight;
  }

  /** Whether it is time to say what is seen; true once for each sight. */
  boolean worthTelling() {
    boolean worth = !told && !(sight instanceof Sight.Unclear) && lasts(since, patience.tell());
    told |= worth;
    return worth;
  }

  /**
   * Whether nothing better is to be expected, as far as can be told from here. Where the program
   * listens elsewhere, it is only a suspicion: a debugger's or another helper's port may be open
   * long before its own.
   */
  Prospect prospect() {
    return switch (sight) {
      case Sight.OtherAddress _ when lasts(since, patience.elsewhere()) -> Prospect.NONE;
      case Sight.Fault fault when !fault.passes() && lasts(since, patience.faults()) ->
          Prospect.NONE;
      case Sight.Elsewhere _
          when lasts(since, patience.elsewhere()) && lasts(quietSince, patience.elsewhere()) ->
          Prospect.DOUBTFUL;
      case Sight.OtherAddress _, Sight.Fault _, Sight.Elsewhere _, Sight.Unclear _ -> Prospect.OPEN;
    };
  }

  /** What is to be expected. */
  enum Prospect {
    OPEN,
    /** None, if what listens elsewhere is the application itself. */
    DOUBTFUL,
    NONE
  }

  private boolean lasts(Duration from, Duration span) {
    return now.minus(from).compareTo(span) >= 0;
  }
}
