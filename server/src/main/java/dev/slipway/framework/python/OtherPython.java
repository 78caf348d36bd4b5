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

  /** A part of a sentence; empty where there is nothing of Python in the directory. */
  public static Optional<String> found(Checkout checkout, String directory) {
    List<Manifest> all = new Manifests(checkout, directory).all();
    if (all.isEmpty()) {
      return withoutManifest(checkout, directory);
    }
    String file = all.getFirst().file();
    Optional<String> other =
        KINDS.stream().filter(kind -> all.stream().anyMatch(it -> it.names(kind))).findFirst();
    if (other.isPresent()) {
      return Optional.of(
          "%s asks for %s, and of Python fastapi alone can be built here"
              .formatted(file, other.get()));
    }
    boolean named = all.stream().anyMatch(it -> it.names("fastapi"));
    String what = named ? "asks for fastapi, but no module imports it" : "does not ask for fastapi";
    return Optional.of(file + " " + what);
  }

  private static Optional<String> withoutManifest(Checkout checkout, String directory) {
    return PythonFiles.importing(checkout, directory)
        .map(file ->
            "%s imports fastapi, but there is no requirements.txt or pyproject.toml beside it that asks for it"
                .formatted(file));
  }
}
