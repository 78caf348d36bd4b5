package dev.slipway.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Sources of small Express applications; each is the files of a commit. */
final class ExpressApp {
  /** The example that the project itself has; the apps here have its dependencies. */
  static final Path EXAMPLE =
      Path.of(System.getProperty("slipway.checkout", "..")).resolve("examples/node-express");

  private static final String WELL =
      """
      const express = require("express");
      const { createHash } = require("node:crypto");
      const app = express();
      app.get("/", (_, answer) => answer.send(`@NAME@ ${process.env.GREETING ?? "plain"}`));
      const born = Math.random().toString();
      app.get("/born", (_, answer) => answer.send(born));
      app.get("/port", (_, answer) => answer.send(process.env.PORT));
      app.get("/events", (_, answer) => {
        answer.writeHead(200, { "Content-Type": "text/event-stream" });
        const timer = setInterval(() => answer.write("data: @NAME@\\n\\n"), 50);
        answer.on("close", () => clearInterval(timer));
      });
      const server = app.listen(process.env.PORT);
      // The smallest WebSocket: it says hello again and again, and reads nothing.
      server.on("upgrade", (request, socket) => {
        const key = request.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
        const accept = createHash("sha1").update(key).digest("base64");
        socket.write("HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\n"
          + `Connection: Upgrade\\r\\nSec-WebSocket-Accept: ${accept}\\r\\n\\r\\n`);
        const timer = setInterval(() => socket.write(Buffer.from([0x81, 2, 0x68, 0x69])), 50);
        socket.on("error", () => {});
        socket.on("close", () => clearInterval(timer));
      });
      process.on("SIGTERM", () => server.close());
      """;

  private ExpressApp() {}

  /** Answers {@code "<name> <GREETING>"} at once; has event streams and WebSockets. */
  static Map<String, String> named(String name) {
    return program(WELL.replace("@NAME@", name));
  }

  /** The server.js given, with Express to be installed. */
  static Map<String, String> program(String source) {
    return files(source, "");
  }

  /** With a script of package.json; it holds no quotation marks but single ones. */
  static Map<String, String> withScript(String script, String command, String source) {
    return files(source, "\"%s\": \"%s\", ".formatted(script, command));
  }

  private static Map<String, String> files(String source, String scripts) {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("server.js", source);
    files.put(
        "package.json", example("package.json").replace("\"start\":", scripts + "\"start\":"));
    files.put("package-lock.json", example("package-lock.json"));
    return files;
  }

  private static String example(String file) {
    try {
      return Files.readString(EXAMPLE.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
