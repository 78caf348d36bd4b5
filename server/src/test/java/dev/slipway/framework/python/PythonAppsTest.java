package dev.slipway.framework.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.source.Checkout;
import dev.slipway.source.Commit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PythonAppsTest {
  private static final String APP = "from fastapi import FastAPI\napp = FastAPI()\n";

  @TempDir Path root;

  private void file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
  }

  private PythonApps apps() {
    return apps(Optional.empty());
  }

  private PythonApps apps(Optional<String> entrypoint) {
    return PythonApps.in(new Checkout(root, new Commit("0".repeat(40), "")), "", entrypoint);
  }

  private PythonApp app() {
    assertThat(apps().best()).hasSize(1);
    return apps().best().getFirst();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "from fastapi import FastAPI\napp = FastAPI(title='x')",
        "import fastapi\napp = fastapi.FastAPI(\n    title='x',\n)",
        "from fastapi import FastAPI as Api\napp = Api()",
        "from fastapi import FastAPI\napp: FastAPI = build()",
        "from fastapi import FastAPI\nclass Api(FastAPI):\n  pass\napp = Api()",
        "from fastapi import FastAPI\nif True:\n    app = FastAPI()",
        "from fastapi import FastAPI\nserver = app = FastAPI()\n",
        "from fastapi import FastAPI\ndef create() -> FastAPI:\n    return other()\napp = create()",
        "from fastapi import FastAPI\ndef create(x):\n    a = FastAPI()\n    return a\n\napp = create(1)",
        "import os; from fastapi import FastAPI\napp = \\\n  FastAPI()",
      })
  void findsAnObject(String text) throws IOException {
    file("main.py", text);

    assertThat(app().target()).isEqualTo("main:app");
    assertThat(app().factory()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\"\"\napp = FastAPI()\n\"\"\"",
        "# app = FastAPI()",
        "TEXT = 'app = FastAPI()'",
        "r'''\nfrom fastapi import FastAPI\napp = FastAPI()'''",
        "def f():\n    app = FastAPI()\n",
        "if __name__ == '__main__':\n    app = FastAPI()",
        "def f(app: FastAPI):\n    pass",
        "x = [\n'''\napp = FastAPI()\n''']",
        "app == FastAPI()",
        "app = dict(FastAPI=1)",
      })
  void isNotDeceived(String text) throws IOException {
    file("main.py", "from fastapi import FastAPI\n" + text);

    assertThat(apps().best()).isEmpty();
  }

  @Test
  void afterAStringThatIsNeverClosedCodeIsStillCode() throws IOException {
    file("main.py", "x = 'open\n" + APP);

    assertThat(app().target()).isEqualTo("main:app");
  }

  @Test
  void aFactoryIsCalledByTheServer() throws IOException {
    file(
        "web.py",
        "from fastapi import FastAPI\ndef create_app(a=(1, 2), *, b: int = 3) -> FastAPI:\n  ...");

    assertThat(app().target()).isEqualTo("web:create_app");
    assertThat(app().factory()).isTrue();
  }

  @Test
  void aFactoryThatNeedsArgumentsIsNoApplication() throws IOException {
    file("web.py", "from fastapi import FastAPI\ndef create_app(settings) -> FastAPI:\n  ...");

    assertThat(apps().best()).isEmpty();
  }

  @Test
  void whatAFactoryOfAnotherModuleGivesIsAnApplication() throws IOException {
    file("app/__init__.py", "");
    file(
        "app/factory.py",
        "from fastapi import FastAPI\ndef make():\n    api = FastAPI()\n    return api\n");
    file("app/main.py", "from .factory import make\n\napp = make()\n");

    assertThat(app().target()).isEqualTo("app.main:app");
  }

  @Test
  void importsSayWhereModulesAreImportedFrom() throws IOException {
    file("app/main.py", "from app.db import x\n" + APP);
    file("app/db.py", "");
    assertThat(app().target()).isEqualTo("app.main:app");
    assertThat(app().importRoot()).isEmpty();

    file("app/main.py", "from db import x\n" + APP);
    assertThat(app().target()).isEqualTo("main:app");
    assertThat(app().importRoot()).isEqualTo("app");

    file("app/main.py", "from .db import x\n" + APP);
    assertThat(app().target()).isEqualTo("app.main:app");
  }

  @Test
  void relativeImportsReachUpwards() throws IOException {
    file("src/shop/web/main.py", "from ..db import x\n" + APP);

    assertThat(app().target()).isEqualTo("shop.web.main:app");
    assertThat(app().importRoot()).isEqualTo("src");
    assertThat(app().directory()).isEmpty();
  }

  @Test
  void theProgramRunsWhereItsFilesAre() throws IOException {
    file("backend/app/__init__.py", "");
    file("backend/app/main.py", APP + "app.mount('/static', StaticFiles(directory='static'))\n");
    file("backend/static/style.css", "");
    assertThat(app().directory()).isEqualTo("backend");
    assertThat(app().target()).isEqualTo("app.main:app");

    file("static/style.css", "");
    Files.delete(root.resolve("backend/static/style.css"));
    Files.delete(root.resolve("backend/static"));
    assertThat(app().directory()).isEmpty();
    assertThat(app().importRoot()).isEqualTo("backend");
  }

  @Test
  void ofSeveralTheUsualNameIsMeant() throws IOException {
    file("main.py", APP + "admin = FastAPI()\n");
    file("app/v2/routes.py", APP);

    assertThat(app().target()).isEqualTo("main:app");
    assertThat(apps().others())
        .extracting(PythonApp::target)
        .containsExactly("main:admin", "routes:app");
  }

  @Test
  void whatIsRunInTheSourceOrSaidInTheManifestIsMeant() throws IOException {
    file("main.py", APP);
    file("other.py", APP);
    assertThat(apps(Optional.of("other:app")).best())
        .extracting(PythonApp::target)
        .containsExactly("other:app");

    file(
        "run.py",
        "import uvicorn\nif __name__ == '__main__':\n    uvicorn.run('other:app', port=80)");
    assertThat(app().target()).isEqualTo("other:app");
  }

  @Test
  void equalOnesAreForTheUserToChooseFrom() throws IOException {
    file("one/main.py", APP);
    file("two/main.py", APP);

    assertThat(apps().best())
        .extracting(PythonApp::file)
        .containsExactly("one/main.py", "two/main.py");
  }

  @Test
  void testsAndExamplesAreNoApplications() throws IOException {
    for (String name :
        List.of(
            "tests/main.py",
            "test_main.py",
            "docs/main.py",
            ".venv/lib/main.py",
            "examples/a.py")) {
      file(name, APP);
    }

    assertThat(apps().best()).isEmpty();
  }

  @Test
  void aPackageIsNamedWithoutItsFile() throws IOException {
    file("server/__init__.py", APP);

    assertThat(app().target()).isEqualTo("server:app");
  }
}
