package dev.slipway.core;

/** Identifies what is sent of one event to one endpoint. */
public record DeliveryId(String value) {
  public static DeliveryId next() {
    return new DeliveryId(TypeId.next("dlv"));
  }

  @Override
  public String toString() {
    return value;
  }
}
