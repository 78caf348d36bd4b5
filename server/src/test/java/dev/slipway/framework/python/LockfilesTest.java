package dev.slipway.framework.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.source.Checkout;
import dev.slipway.source.Commit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockfilesTest {
  @TempDir Path root;

  private void file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
  }

  private Checkout checkout() {
    return new Checkout(root, new Commit("0".repeat(40), ""));
  }

  private Pins poetry() {
    return PoetryLock.in(checkout(), "poetry.lock", Pyproject.in(checkout(), "").orElseThrow())
        .orElseThrow();
  }

  @Test
  void aNewLockfileOfPoetryNamesItsGroups() throws IOException {
    file("pyproject.toml", "[project]\nname='x'\ndependencies=['fastapi (>=0.1)', 'new-one>=2']");
    file(
        "poetry.lock",
        """
        [[package]]
        name = "fastapi"
        version = "0.115.0"
        optional = false
        groups = ["main"]
        [[package]]
        name = "colorama"
        version = "0.4"
        optional = false
        groups = ["main", "dev"]
        markers = {main = "sys_platform == 'win32'", dev = "os_name == 'nt'"}
        [[package]]
        name = "tomli"
        version = "2"
        optional = false
        groups = ["main"]
        markers = "python_version < '3.11'"
        [[package]]
        name = "pytest"
        version = "8"
        optional = false
        groups = ["dev"]
        [[package]]
        name = "extra"
        version = "1"
        optional = true
        groups = ["main"]
        [[package]]
        name = "ours"
        version = "1"
        optional = false
        groups = ["main"]
        [package.source]
        type = "git"
        url = "https://git.example.org/ours.git"
        resolved_reference = "abc"
        """);

    assertThat(poetry().texts())
        .containsExactly(
            "fastapi==0.115.0",
            "colorama==0.4 ; sys_platform == 'win32'",
            "tomli==2 ; python_version < '3.11'",
            "ours @ git+https://git.example.org/ours.git@abc");
    assertThat(poetry().missing()).extracting(Requirement::text).containsExactly("new-one>=2");
  }

  @Test
  void inAnOldLockfileOfPoetryWhatIsNeededIsFollowed() throws IOException {
    file(
        "pyproject.toml",
        """
        [tool.poetry.dependencies]
        python = "^3.9"
        Fast_API = {version = "^0.1", extras = ["all"]}
        [tool.poetry.group.dev.dependencies]
        black = "*"
        """);
    file(
        "poetry.lock",
        """
        [[package]]
        name = "fast-api"
        version = "0.1"
        [package.dependencies]
        starlette = ">=0.2"
        uvicorn = {version = "*", extras = ["standard"], optional = true, markers = "extra == \\"all\\""}
        other = {version = "*", optional = true, markers = "extra == \\"doc\\""}
        [package.extras]
        all = ["uvicorn[standard] (>=0.1)"]
        doc = ["other"]
        [[package]]
        name = "starlette"
        version = "0.3"
        [package.dependencies]
        typing-extensions = {version = ">=3", markers = "python_version < \\"3.10\\""}
        [[package]]
        name = "uvicorn"
        version = "0.20"
        [package.dependencies]
        uvloop = {version = "*", optional = true, markers = "sys_platform != \\"win32\\" and extra == \\"standard\\""}
        [package.extras]
        standard = ["uvloop (>=0.1)"]
        [[package]]
        name = "uvloop"
        version = "0.17"
        [[package]]
        name = "typing-extensions"
        version = "4"
        [[package]]
        name = "black"
        version = "23"
        [[package]]
        name = "other"
        version = "1"
        """);

    assertThat(poetry().texts())
        .containsExactly(
            "fast-api==0.1",
            "starlette==0.3",
            "uvicorn==0.20",
            "uvloop==0.17",
            "typing-extensions==4 ; (python_version < \"3.10\")");
  }

  @Test
  void aLockfileOfPipenvHasItsDefaults() throws IOException {
    file(
        "Pipfile.lock",
        """
        {"_meta": {"sources": [{"url": "https://pypi.org/simple"}, {"url": "https://index.example.org/simple"}]},
         "default": {"fastapi": {"hashes": ["sha256:0"], "index": "pypi", "version": "==0.95.1"},
                     "uvicorn": {"extras": ["standard"], "markers": "python_version >= '3.7'", "version": "==0.22.0"},
                     "mine": {"editable": true, "path": "./lib"}},
         "develop": {"black": {"version": "==23"}}}
        """);

    Pins pins = Pipfile.locked(checkout(), "Pipfile.lock").orElseThrow();

    assertThat(pins.texts())
        .containsExactly(
            "fastapi==0.95.1",
            "uvicorn[standard]==0.22.0 ; python_version >= '3.7'",
            "--editable",
            "./lib");
    assertThat(pins.indexes()).containsExactly("https://index.example.org/simple");
  }

  @Test
  void aRequirementsFileIncludesOthers() throws IOException {
    file(
        "requirements.txt",
        "-r more/base.txt  # all\n--extra-index-url https://x.example.org\n-e ./lib\nuvicorn==1 \\\n  --hash=sha256:0\n");
    file(
        "more/base.txt",
        "-c ../constraints.txt\nFastAPI[all]>=0.1;python_version>'3'\n-r ../requirements.txt\n");
    file("constraints.txt", "flask==1\n");

    RequirementsFile file = RequirementsFile.in(checkout(), "requirements.txt").orElseThrow();

    assertThat(file.files())
        .containsExactly("requirements.txt", "more/base.txt", "constraints.txt");
    assertThat(file.requirements())
        .extracting(Requirement::name)
        .containsExactly("fastapi", "uvicorn");
    assertThat(file.paths()).containsExactly("lib");
    assertThat(file.furtherIndex()).isTrue();
  }

  @Test
  void aRequirementsFileThatIncludesWhatLiesOutsideIsNotFollowedThere(@TempDir Path other)
      throws IOException {
    Path outside = Files.writeString(other.resolve("outside.txt"), "fastapi==1\n");
    file(
        "requirements.txt",
        "-r %s\n-r %s\nflask==1\n".formatted(root.relativize(outside), outside));

    RequirementsFile file = RequirementsFile.in(checkout(), "requirements.txt").orElseThrow();

    assertThat(file.leadsOut()).isTrue();
    assertThat(file.files()).containsExactly("requirements.txt");
    assertThat(file.requirements()).extracting(Requirement::name).containsExactly("flask");
  }

  @Test
  void aRequirementsFileOfPowerShellIsRead() throws IOException {
    Files.write(
        root.resolve("requirements.txt"),
        "\uFEFFfastapi==0.1\r\nuvicorn\r\n".getBytes(StandardCharsets.UTF_16LE));

    RequirementsFile file = RequirementsFile.in(checkout(), "requirements.txt").orElseThrow();

    assertThat(file.requirements())
        .extracting(Requirement::text)
        .containsExactly("fastapi==0.1", "uvicorn");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "^3.10          # >=3.10,<4",
        "^0.110.1       # >=0.110.1,<0.111",
        "^0.0.3         # >=0.0.3,<0.0.4",
        "~3.10          # >=3.10,<3.11",
        "~3             # >=3,<4",
        "~=1.4          # ~=1.4",
        ">=3.9, <4.0    # >=3.9,<4.0",
        ">=3.9 <3.13    # >=3.9,<3.13",
        "3.10.*         # ==3.10.*",
        "3.10           # ==3.10",
        "^2.7 || ^3.8   # >=3.8,<4",
        "*              # ''",
      })
  void versionsOfPoetryBecomeSpecifiers(String versions, String specifiers) {
    assertThat(PoetryVersions.specifiers(versions)).isEqualTo(specifiers);
  }

  @ParameterizedTest
  @CsvSource({
    ".python-version, 3.11.4, ==3.11.*",
    ".python-version, my-env, ''",
    ".python-version, pypy3.10, ''",
    "runtime.txt, python-3.9.18, ==3.9.*",
    ".tool-versions, 'nodejs 20\npython 3.12.1', ==3.12.*",
    "Pipfile, '[requires]\npython_version = \"3.9\"', ==3.9.*",
    "pyproject.toml, '[project]\nrequires-python = \">=3.10,<3.14\"', '>=3.10,<3.14'",
    "pyproject.toml, '[tool.poetry.dependencies]\npython = \"^3.8\"', '>=3.8,<4'",
    "README.md, none, ''",
  })
  void theVersionOfPythonStandsInManyPlaces(String name, String text, String range)
      throws IOException {
    file(name, text);

    assertThat(new PythonVersion(checkout(), "").tool().range()).isEqualTo(range);
  }
}
