package dev.slipway.framework.python;

import dev.slipway.source.Checkout;
import java.util.List;
import java.util.Optional;

/** Says what an application in Python is that cannot be built here. */
public final class OtherPython {
  private static final List<String> KINDS =
      List.of(
          "django", "flask", "streamlit", "litestar", "sanic", "aiohttp", "starlette", "tornado");

  private OtherPython() {}

  /** A part of a sentence; empty where there is no manifest of Python in the directory. */
  public static Optional<String> found(Checkout checkout, String directory) {
    List<Manifest> all = new Manifests(checkout, directory).all();
    if (all.isEmpty()) {
      return Optional.empty();
    }
    String file = all.getFirst().file();
    Optional<String> other =
        KINDS.stream().filter(kind -> all.stream().anyMatch(it -> it.names(kind))).findFirst();
    return Optional.of(
        other
            .map(kind ->
                "%s asks for %s, and of Python fastapi alone can be built here"
                    .formatted(file, kind))
            .orElseGet(() -> "%s does not ask for fastapi".formatted(file)));
  }
}
