package dev.slipway.release;

/** Names a layer by what it holds: equal trees are one layer. */
public record LayerId(String value) {
  static final String PREFIX = "lay_";

  public LayerId {
    if (!value.startsWith(PREFIX)) {
      throw new IllegalArgumentException("not the id of a layer: " + value);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
