package dev.slipway.config;

import java.nio.file.Path;

/**
 * @param keyFile the key that encrypts all secrets; made at the first start, mode 0600
 */
public record SecretsConfig(Path keyFile) {
  static SecretsConfig defaults(Path dataDir) {
    return new SecretsConfig(dataDir.resolve("keys").resolve("master.json"));
  }

  static SecretsConfig read(Section section, Path dataDir) {
    Path keyFile = section.value("key_file", defaults(dataDir).keyFile, Kinds.PATH);
    section.end();
    return new SecretsConfig(keyFile);
  }
}
