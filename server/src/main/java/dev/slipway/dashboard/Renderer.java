package dev.slipway.dashboard;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import io.vertx.core.buffer.Buffer;
import java.util.Map;

/** Fills the templates, which were compiled with the program. Thread-safe. */
final class Renderer {
  private static final String TEMPLATES = "dev.slipway.dashboard.templates";

  private final TemplateEngine engine =
      TemplateEngine.createPrecompiled(
          null, ContentType.Html, Renderer.class.getClassLoader(), TEMPLATES);

  /** As UTF-8. */
  Buffer page(String template, Frame frame, Object page) {
    Utf8ByteOutput output = new Utf8ByteOutput();
    engine.render(template, Map.of("frame", frame, "page", page), output);
    return Buffer.buffer(output.toByteArray());
  }
}
