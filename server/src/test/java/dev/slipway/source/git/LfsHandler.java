package dev.slipway.source.git;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Git LFS over HTTP as a host speaks it, for the objects that lie in bare repositories. */
public final class LfsHandler {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BATCH = "/info/lfs/objects/batch";
  private static final String OBJECT = "/lfs-object/";

  private final Path folder;
  private volatile Optional<URI> storage = Optional.empty();
  private volatile Optional<String> redirect = Optional.empty();
  private volatile int batchStatus = 200;

  LfsHandler(Path folder) {
    this.folder = folder;
  }

  /** Objects are handed out by this server, another than the one that is asked. */
  public void storedAt(URI server) {
    storage = Optional.of(server);
  }

  /** Every request is sent on to this address from now on. */
  public void redirectTo(String address) {
    redirect = Optional.of(address);
  }

  /** The answer to every question from now on. */
  public void refuseWith(int status) {
    batchStatus = status;
  }

  static boolean isFor(HttpExchange exchange) {
    String path = exchange.getRequestURI().getPath();
    return path.endsWith(BATCH) || path.contains(OBJECT);
  }

  void answer(HttpExchange exchange, URI own) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (redirect.isPresent()) {
      exchange.getResponseHeaders().set("Location", redirect.get());
      exchange.sendResponseHeaders(307, -1);
    } else if (path.endsWith(BATCH)) {
      batch(exchange, own, path.substring(0, path.length() - BATCH.length()));
    } else {
      int at = path.indexOf(OBJECT);
      Path object = object(path.substring(0, at), path.substring(at + OBJECT.length()));
      exchange.sendResponseHeaders(200, Files.size(object));
      Files.copy(object, exchange.getResponseBody());
    }
  }

  private void batch(HttpExchange exchange, URI own, String repository) throws IOException {
    JsonNode question = JSON.readTree(exchange.getRequestBody().readAllBytes());
    ObjectNode answer = JSON.createObjectNode().put("transfer", "basic");
    var objects = answer.putArray("objects");
    for (JsonNode wanted : question.path("objects")) {
      String oid = wanted.path("oid").asText();
      ObjectNode object =
          objects.addObject().put("oid", oid).put("size", wanted.path("size").asLong());
      if (Files.exists(object(repository, oid))) {
        ObjectNode download = object.putObject("actions").putObject("download");
        download.put("href", storage.orElse(own) + repository + OBJECT + oid);
        download.putObject("header").put("X-Storage-Key", "only-for-storage").put("Host", "x");
      } else {
        object.putObject("error").put("code", 404).put("message", "Object does not exist");
      }
    }
    byte[] text = JSON.writeValueAsBytes(answer);
    exchange.sendResponseHeaders(batchStatus, text.length);
    exchange.getResponseBody().write(text);
  }

  private Path object(String repository, String oid) {
    return folder
        .resolve(repository.substring(1))
        .resolve("lfs/objects")
        .resolve(oid.substring(0, 2))
        .resolve(oid.substring(2, 4))
        .resolve(oid);
  }
}
