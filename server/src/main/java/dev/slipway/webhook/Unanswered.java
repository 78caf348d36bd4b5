package dev.slipway.webhook;

/** There was no answer; the message is a sentence that says to the endpoint's owner why. */
final class Unanswered extends Exception {
  Unanswered(String sentence) {
    super(sentence);
  }
}
