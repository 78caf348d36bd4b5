package dev.slipway.cli;

import dev.slipway.Administration;
import dev.slipway.Server;
import dev.slipway.config.ServerConfig;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;

/**
 * Starts a server on an empty directory, asks it something, and ends it: what the JDK's cache of
 * classes is trained with.
 */
@Command(name = "warm-up", hidden = true)
final class WarmUpCommand implements Runnable {
  @Override
  public void run() {
    try {
      Path data = Files.createTempDirectory("slipway-warm-up");
      int port = FreePort.from(18_080);
      Map<String, String> settings =
          Map.of("SLIPWAY_DATA_DIR", data.toString(), "SLIPWAY_HTTP_PORT", String.valueOf(port));
      ServerConfig config = ServerConfig.load(Optional.empty(), settings);
      Server server = Server.start(config, System.getenv(), key -> {});
      try (ApiClient api = new ApiClient(port, "none")) {
        api.get("/readyz");
        administrate(config);
      } finally {
        server.close();
        Trees.delete(data);
      }
    } catch (IOException e) {
      throw new CommandException("the warm-up failed: " + e.getMessage(), e);
    }
  }

  private static void administrate(ServerConfig config) {
    try (Administration administration = Administration.open(config)) {
      administration.accounts().list();
    }
  }
}
