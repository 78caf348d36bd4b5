package dev.slipway.edge;

/** What came of one try of a {@link HealthCheck}. */
public sealed interface Probe {
  /** It answered, redirects included. */
  record Answered(int status) implements Probe {
    @Override
    public String sentence() {
      return "it answered with status " + status;
    }
  }

  /** Nothing listens on the port. */
  record Refused() implements Probe {
    @Override
    public String sentence() {
      return "nothing listens on its port";
    }
  }

  /** It took the connection and had not answered when the time was over. */
  record Silent() implements Probe {
    @Override
    public String sentence() {
      return "it took the connection but did not answer";
    }
  }

  /** It took the connection and broke off, or its answer was not HTTP. */
  record Broken() implements Probe {
    @Override
    public String sentence() {
      return "it broke off the connection, or what it said was not HTTP";
    }
  }

  /** For the user, with the program as "it", without a full stop. */
  String sentence();
}
