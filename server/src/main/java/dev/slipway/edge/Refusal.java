package dev.slipway.edge;

/** Why the edge ends a connection that a client would have liked to keep. */
enum Refusal {
  HEAD_UNREADABLE("a head could not be read"),
  HEAD_DOUBTFUL("the end of a request was not sure"),
  BODY_UNREADABLE("a body could not be read"),
  HEAD_SLOW("a head took too long"),
  BODY_SLOW("nothing more of a body came"),
  READER_SLOW("an answer was not taken"),
  TOO_MANY("its address held too many connections");

  private final String words;

  Refusal(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }
}
