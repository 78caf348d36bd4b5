package dev.slipway.core;

/** Identifies a deployment, rollbacks included. */
public record DeploymentId(String value) {
  public static DeploymentId next() {
    return new DeploymentId(TypeId.next("dep"));
  }

  @Override
  public String toString() {
    return value;
  }
}
