package dev.slipway.core;

/** Identifies a release: the artifact of one build. */
public record ReleaseId(String value) {
  /** The release that a deployment builds: the same one however often its job is run. */
  public static ReleaseId of(DeploymentId builder) {
    return new ReleaseId("rel" + builder.value().substring("dep".length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
