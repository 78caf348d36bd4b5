package dev.slipway.framework.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.AppFailure;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.Overrides;
import dev.slipway.source.Checkout;
import dev.slipway.source.Commit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostFilesTest {
  @TempDir Path root;

  private void file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
  }

  private Settled read() {
    return read(Overrides.NONE);
  }

  private Settled read(Overrides given) {
    Checkout checkout = new Checkout(root, new Commit("0".repeat(40), "Fixture"));
    return HostFiles.read(checkout, given, Set.of("SET"));
  }

  private static List<String> sentences(Settled settled) {
    return settled.findings().stream().map(Finding::sentence).toList();
  }

  private static List<String> warnings(Settled settled) {
    return settled.findings().stream().filter(Finding::warning).map(Finding::sentence).toList();
  }

  private static Overrides inDirectory(String directory) {
    return new Overrides(
        Optional.empty(),
        Optional.of(directory),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void withoutFilesNothingIsSettled() {
    assertThat(read()).isEqualTo(new Settled(Overrides.NONE, List.of()));
  }

  @Test
  void ourOwnFileSaysAll() throws IOException {
    file(
        "slipway.yaml",
        """
        # how it is built
        framework: react-vite
        root_directory: ./apps/web/
        install_command: npm ci
        build_command: npm run build -- --mode live
        start_command: null
        output_directory: out
        health_check_path: /healthz
        """);

    assertThat(read().overrides())
        .isEqualTo(
            new Overrides(
                Optional.of("react-vite"),
                Optional.of("apps/web"),
                Optional.of("npm ci"),
                Optional.of("npm run build -- --mode live"),
                Optional.empty(),
                Optional.of("out"),
                Optional.of("/healthz")));
    assertThat(sentences(read())).contains("The framework comes from slipway.yaml: react-vite");
  }

  @Test
  void ourOwnFileMayLieWithTheApplication() throws IOException {
    file("apps/web/slipway.yaml", "start_command: node near.js");
    file("slipway.yaml", "start_command: node far.js");

    assertThat(read(inDirectory("apps/web")).overrides().startCommand()).contains("node near.js");
    assertThat(read().overrides().startCommand()).contains("node far.js");
  }

  @Test
  void whatTheUserSaysComesFirstAndNothingIsSaidOfTheRest() throws IOException {
    file("slipway.yaml", "root_directory: elsewhere\nstart_command: node a.js");
    file("apps/Procfile", "web: node b.js");

    Settled settled = read(inDirectory("apps"));

    assertThat(settled.overrides().rootDirectory()).contains("apps");
    assertThat(settled.overrides().startCommand()).contains("node a.js");
    assertThat(sentences(settled))
        .containsExactly("The start command comes from slipway.yaml: node a.js");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "start_comand: x|line 2, column 1: start_comand is not known; did you mean start_command?"
            + " Known are framework,",
        "start_command: a ; b|line 2, column 1: start_command is \"a ; b\". A semicolon needs a"
            + " shell",
        "start_command: [a]|line 2, column 1: start_command must be a text.",
        "framework: flask|Known frameworks are react-vite,",
        "root_directory: ../up|line 2, column 1: root_directory is \"../up\". It must be a"
            + " directory",
        "health_check_path: health|It must be a path such as /healthz.",
        "framework: nextjs\nframework: nextjs|line 3, column 10: this is not valid YAML: Duplicate",
        "framework: 'open|line 2, column 10: this is not valid YAML",
        "---\n- a|it must hold keys and values.",
        "framework: nextjs\n---\nframework: nextjs|only one document",
        "&a [*a, *a]: x|this is not valid YAML",
      })
  void aFaultInOurOwnFileIsAFailureThatNamesItsPlace(String textAndSentence) throws IOException {
    int bar = textAndSentence.lastIndexOf('|');
    file("slipway.yaml", "# ours\n" + textAndSentence.substring(0, bar));

    AppFailure failure = catchThrowableOfType(AppFailure.class, this::read);

    assertThat(failure).hasMessageContaining("slipway.yaml, line ");
    assertThat(failure).hasMessageContaining(textAndSentence.substring(bar + 1));
  }

  @Test
  void anEmptyFileOfOursSaysNothing() throws IOException {
    file("slipway.yaml", "# nothing yet\n");

    assertThat(read().overrides()).isEqualTo(Overrides.NONE);
  }

  @Test
  void aProcfileNamesTheWebProcessAlone() throws IOException {
    file(
        "Procfile",
        "# Heroku\nrelease: python manage.py migrate\nworker: celery\nweb : gunicorn main:app\n");

    assertThat(read().overrides().startCommand()).contains("gunicorn main:app");
    assertThat(warnings(read()))
        .containsExactly(
            "The release command of the Procfile is not run here: python manage.py migrate. Run it"
                + " yourself, or put it before the start command with &&.",
            "Only the process web of the Procfile is run; not worker.");
  }

  @Test
  void aCommandThatNeedsAShellIsLeftOutWithAReason() throws IOException {
    file("Procfile", "web: node a.js | tee log");
    file("railway.json", "{\"deploy\": {\"startCommand\": \"node b.js\"}}");

    assertThat(read().overrides().startCommand()).contains("node b.js");
    assertThat(warnings(read()).getFirst())
        .startsWith("The start command of Procfile is not used: A pipe (|) needs a shell");
  }

  @Test
  void aBlueprintOfRenderGivesItsFirstWebService() throws IOException {
    file(
        "render.yaml",
        """
        databases: [{name: db}]
        services:
          - {type: worker, name: jobs, startCommand: celery}
          - type: web
            name: api
            runtime: python
            rootDir: backend
            buildCommand: |
              pip install --upgrade pip
              pip install -r requirements/prod.txt
              python build.py
            startCommand: uvicorn main:app --port $PORT
            healthCheckPath: /health
            preDeployCommand: alembic upgrade head
            envVars: [{key: PORT, value: 1}, {key: SET, value: 1}, {key: SECRET, sync: false}]
          - {type: web, runtime: static, name: site, rootDir: frontend, buildCommand: npm ci && npm run build, staticPublishPath: ./dist}
        """);

    assertThat(read().overrides())
        .isEqualTo(
            new Overrides(
                Optional.empty(),
                Optional.of("backend"),
                Optional.of("pip install -r requirements/prod.txt"),
                Optional.of("python build.py"),
                Optional.of("uvicorn main:app --port $PORT"),
                Optional.empty(),
                Optional.of("/health")));
    assertThat(warnings(read()))
        .containsExactly(
            "render.yaml names variables that are not set here: SECRET. Set them if they are"
                + " needed.",
            "The preDeployCommand of render.yaml is not run here: alembic upgrade head");
    assertThat(sentences(read()))
        .contains(
            "Of the services in render.yaml, api is deployed; not site. Each is a project of its"
                + " own here, with its root_directory.");

    Overrides site = read(inDirectory("frontend")).overrides();
    assertThat(site.buildCommand()).contains("npm run build");
    assertThat(site.installCommand()).isEmpty();
    assertThat(site.outputDirectory()).contains("dist");
    assertThat(read(inDirectory("other")).overrides()).isEqualTo(inDirectory("other"));
  }

  @Test
  void railwayIsReadAsJsonAndAsToml() throws IOException {
    file(
        "railway.json",
        """
        {"build": {"builder": "NIXPACKS", "buildCommand": "npm ci --no-audit && npm run build"},
         "deploy": {"startCommand": "node dist", "healthcheckPath": "/up", "preDeployCommand": ["a", "b"]}}
        """);
    assertThat(read().overrides().buildCommand()).contains("npm run build");
    assertThat(read().overrides().healthCheckPath()).contains("/up");
    assertThat(warnings(read()))
        .containsExactly("The preDeployCommand of railway.json is not run here: a && b");

    Files.delete(root.resolve("railway.json"));
    file("railway.toml", "[deploy]\nstartCommand = \"sh -c 'node dist --port $PORT'\"\n");
    assertThat(read().overrides().startCommand()).contains("sh -c 'node dist --port $PORT'");
    assertThat(warnings(read())).isEmpty();
  }

  @Test
  void vercelGivesCommandsAndSaysWhatItKeepsForItself() throws IOException {
    file(
        "vercel.json",
        """
        {"framework": "nextjs", "buildCommand": null, "installCommand": "pnpm i", "outputDirectory": ".next",
         "rewrites": [{"source": "/api/(.*)", "destination": "https://api.example.org/$1"}], "crons": []}
        """);
    assertThat(read().overrides().framework()).contains("nextjs");
    assertThat(read().overrides().installCommand()).contains("pnpm i");
    assertThat(read().overrides().outputDirectory()).isEmpty();
    assertThat(warnings(read()))
        .containsExactly("vercel.json has rewrites, which are not taken over.");

    file(
        "vercel.json",
        """
        {"framework": "vite", "outputDirectory": "/build",
         "rewrites": [{"source": "/(.*)", "destination": "/index.html"}]}
        """);
    assertThat(read().overrides().framework()).isEmpty();
    assertThat(read().overrides().outputDirectory()).contains("build");
    assertThat(warnings(read())).isEmpty();
  }

  @Test
  void whatIsInstalledInAnotherDirectoryStaysInTheBuildCommand() throws IOException {
    file(
        "railway.json",
        "{\"build\": {\"buildCommand\": \"cd web && npm install && npm run build\"}}");

    assertThat(read().overrides().buildCommand())
        .contains("cd web && npm install && npm run build");
  }

  @Test
  void aDirectoryThatIsNoneIsTheRoot() throws IOException {
    file("Procfile", "web: node a.js");
    file("render.yaml", "services: [{type: web, rootDir: \"a\\0b\"}]");

    for (String odd : List.of("../up", "/etc", "a\u0000b")) {
      assertThat(read(inDirectory(odd)).overrides().startCommand()).contains("node a.js");
    }
    assertThat(read().overrides().rootDirectory()).isEmpty();
  }

  @Test
  void netlifyGivesItsBase() throws IOException {
    file(
        "netlify.toml",
        """
        [build]
          base = "site/"
          command = "npm install && npm run build"
          publish = "dist"
        [[redirects]]
          from = "/*"
          to = "/index.html"
          status = 200
        [[headers]]
          for = "/*"
        """);
    assertThat(read().overrides().rootDirectory()).contains("site");
    assertThat(read().overrides().buildCommand()).contains("npm run build");
    assertThat(read().overrides().outputDirectory()).contains("dist");
    assertThat(warnings(read()))
        .containsExactly("netlify.toml has headers, which are not taken over.");
    assertThat(read(inDirectory("site")).overrides().outputDirectory()).contains("dist");
    assertThat(read(inDirectory("api")).overrides().outputDirectory()).isEmpty();
  }

  @Test
  void aDescriptionForHerokuAsksForVariables() throws IOException {
    file(
        "app.json",
        """
        {"buildpacks": [{"url": "heroku/python"}], "scripts": {"postdeploy": "./seed"},
         "env": {"SET": {}, "SECRET": {"description": "x"}, "KEY": {"generator": "secret"},
                 "MAYBE": {"required": false}, "TEXT": "value"}}
        """);

    assertThat(sentences(read()))
        .containsExactly(
            "app.json asks for variables that are not set: SECRET. Set them before the application"
                + " needs them.",
            "The buildpacks of app.json are not used.",
            "The postdeploy script of app.json is not run here: ./seed");
    file("app.json", "{\"expo\": {}, \"env\": {\"SECRET\": {}}}");
    assertThat(sentences(read())).isEmpty();
  }

  @Test
  void whatIsNotFollowedIsSaid() throws IOException {
    file("Dockerfile", "FROM scratch");
    file("nixpacks.toml", "[start]\ncmd = 'x'");

    assertThat(sentences(read()))
        .containsExactly(
            "Not used here: Dockerfile, nixpacks.toml. The application is built from its"
                + " manifests.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "render.yaml",
        "railway.json",
        "railway.toml",
        "vercel.json",
        "netlify.toml",
        "app.json"
      })
  void aMalformedFileOfAnotherHostIsSaidAndPassedOver(String name) throws IOException {
    file(name, "{\n[\"");
    assertThat(warnings(read()))
        .singleElement()
        .asString()
        .startsWith(name + " is not used: it cannot be read, line ");
    file(name, "");
    assertThat(read().overrides()).isEqualTo(Overrides.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "render.yaml|services: 1",
        "render.yaml|services: [1, [], {type: web, envVars: 3, startCommand: {a: b}, rootDir:"
            + " ../../etc}]",
        "railway.json|{\"build\": [], \"deploy\": {\"startCommand\": [1], \"preDeployCommand\":"
            + " {}}}",
        "vercel.json|{\"framework\": 7, \"rewrites\": \"x\", \"outputDirectory\": \"../../etc\"}",
        "netlify.toml|build = 1",
        "app.json|{\"env\": [], \"buildpacks\": 1, \"scripts\": []}",
        "Procfile|web:\n\n:x\nnonsense",
      })
  void oddValuesDoNoHarm(String nameAndText) throws IOException {
    int bar = nameAndText.indexOf('|');
    file(nameAndText.substring(0, bar), nameAndText.substring(bar + 1));

    assertThat(read().overrides()).isEqualTo(Overrides.NONE);
  }
}
