package dev.slipway.config;

/**
 * @param keep releases of a project to which it can be rolled back
 */
public record ReleasesConfig(int keep) {
  public static final ReleasesConfig DEFAULTS = new ReleasesConfig(10);

  static ReleasesConfig read(Section section) {
    int keep = section.value("keep", DEFAULTS.keep, Kinds.COUNT);
    section.end();
    return new ReleasesConfig(keep);
  }
}
