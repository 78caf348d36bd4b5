package dev.slipway.framework.python;

import dev.slipway.framework.OtherKind;
import dev.slipway.source.Checkout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says what an application in Python is that is not recognised, and how it can be run. */
public final class OtherPython {
  private static final String AS_TOLD =
      "It can be run all the same: set framework to python-fastapi, and start_command, for example to \"%s\".";
  private static final String ADD_FASTAPI =
      "Ask for fastapi, and for whatever else is imported, in a requirements.txt.";

  /** How an application of each kind is started. */
  private static final Map<String, String> STARTS = new LinkedHashMap<>();

  static {
    STARTS.put("django", "gunicorn %s");
    STARTS.put("flask", "gunicorn app:app");
    STARTS.put("streamlit", "streamlit run app.py --server.address 0.0.0.0 --server.port $PORT");
    STARTS.put("litestar", "uvicorn app:app");
    STARTS.put("sanic", "sanic app:app --host 0.0.0.0 --port $PORT");
    STARTS.put("aiohttp", "python app.py");
    STARTS.put("starlette", "uvicorn app:app");
    STARTS.put("tornado", "python app.py");
  }

  private OtherPython() {}

  /** Empty where there is nothing of Python in the directory. */
  public static Optional<OtherKind> of(Checkout checkout, String directory) {
    List<Manifest> all = new Manifests(checkout, directory).all();
    return all.isEmpty()
        ? withoutManifest(checkout, directory)
        : Optional.of(of(checkout, directory, all));
  }

  private static OtherKind of(Checkout checkout, String directory, List<Manifest> all) {
    String file = all.getFirst().file();
    if (all.stream().anyMatch(it -> it.names("fastapi"))) {
      return new OtherKind(
          file + " asks for fastapi, but no module imports it",
          AS_TOLD.formatted("uvicorn app:app"));
    }
    Optional<String> other =
        STARTS.keySet().stream()
            .filter(kind -> all.stream().anyMatch(it -> it.names(kind)))
            .findFirst();
    Optional<String> importing = PythonFiles.importing(checkout, directory);
    if (other.isEmpty() && importing.isPresent()) {
      return new OtherKind(
          "%s imports fastapi, but %s does not ask for it".formatted(importing.get(), file),
          ADD_FASTAPI);
    }
    return other
        .map(kind ->
            new OtherKind(
                "%s asks for %s, and of Python fastapi alone is recognised".formatted(file, kind),
                AS_TOLD.formatted(start(kind, checkout, directory))))
        .orElseGet(() ->
            new OtherKind(
                file + " does not ask for fastapi",
                "If it is a server, set framework to python-fastapi and start_command."));
  }

  private static String start(String kind, Checkout checkout, String directory) {
    return STARTS.getOrDefault(kind, "").formatted(wsgi(checkout, directory));
  }

  /** The module of Django's that servers ask for, {@code shop.wsgi} for {@code shop/wsgi.py}. */
  private static String wsgi(Checkout checkout, String directory) {
    return PythonFiles.in(checkout, directory).stream()
        .filter(file -> file.endsWith("/wsgi.py"))
        .map(file -> Paths.from(directory, file))
        .map(file -> file.substring(0, file.length() - ".py".length()).replace('/', '.'))
        .findFirst()
        .orElse("mysite.wsgi");
  }

  private static Optional<OtherKind> withoutManifest(Checkout checkout, String directory) {
    return PythonFiles.importing(checkout, directory)
        .map(file ->
            new OtherKind(
                "%s imports fastapi, but there is no requirements.txt or pyproject.toml beside it that asks for it"
                    .formatted(file),
                ADD_FASTAPI));
  }
}
