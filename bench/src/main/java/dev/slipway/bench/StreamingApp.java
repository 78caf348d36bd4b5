package dev.slipway.bench;

import java.util.List;
import java.util.Map;

/** An application whose answers take their time; each part of them names the release. */
final class StreamingApp {
  static final int SLOW_LINES = 40;

  private StreamingApp() {}

  static BuiltApp app() {
    return new BuiltApp(
        "node-express",
        Map.of(
            "package.json",
            """
            {"name": "bench", "version": "1.0.0", "scripts": {"start": "node server.js"},
             "dependencies": {"express": "^5.1.0"}}
            """,
            "server.js",
            """
            const { createHash } = require('crypto');
            const mark = process.env.GREETING;
            const app = require('express')();
            const pause = (millis) => new Promise((done) => setTimeout(done, millis));

            app.get('/', (_, answer) => answer.send(mark));

            app.get('/slow', async (_, answer) => {
              for (let i = 0; i < %d; i++) {
                answer.write(`${mark} ${i}\\n`);
                await pause(50);
              }
              answer.end(mark);
            });

            app.get('/events', async (request, answer) => {
              answer.set('Content-Type', 'text/event-stream').flushHeaders();
              for (let i = 0; !request.destroyed; i++) {
                answer.write(`data: ${mark} ${i}\\n\\n`);
                await pause(100);
              }
            });

            app.listen(process.env.PORT).on('upgrade', (request, socket) => {
              const key = request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
              const accept = createHash('sha1').update(key).digest('base64');
              socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n'
                + `Sec-WebSocket-Accept: ${accept}\\r\\n\\r\\n`);
              socket.on('error', () => {});
              socket.on('data', (frame) => { // short, whole, masked by zeros
                const text = Buffer.from(`${mark} ${frame.subarray(6)}`);
                socket.write(Buffer.concat([Buffer.from([0x81, text.length]), text]));
              });
            });
            """
                .formatted(SLOW_LINES)),
        "package.json",
        "GREETING",
        List.of(),
        List.of(),
        List.of(),
        "node_modules");
  }
}
