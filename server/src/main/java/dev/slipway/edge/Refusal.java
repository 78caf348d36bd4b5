package dev.slipway.edge;

/** Why the edge ends a connection, or a request, that a client would have liked to keep. */
enum Refusal {
  HEAD_UNREADABLE("a head could not be read"),
  HEAD_DOUBTFUL("the end of a request was not sure"),
  NAME_MALFORMED("what it asked for was no valid host or path"),
  BODY_UNREADABLE("a body could not be read"),
  HEAD_SLOW("a head took too long"),
  BODY_SLOW("nothing more of a body came"),
  READER_SLOW("an answer was not taken"),
  ANSWER_BROKEN_OFF("an app broke off its answer"),
  FRAMES_BROKEN("it broke a rule of HTTP/2"),
  FLOOD("it sent too many frames"),
  TOO_MANY("its address held too many connections"),
  TOO_MANY_REQUESTS("its address had too many requests under way"),
  TOO_MANY_AT_ALL("there were too many connections");

  private final String words;

  Refusal(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }
}
