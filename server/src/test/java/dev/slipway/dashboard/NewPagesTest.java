package dev.slipway.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.account.Role;
import dev.slipway.core.AppFailure;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.FailureCode;
import dev.slipway.core.MigrationId;
import dev.slipway.core.RequestException;
import dev.slipway.migration.MigrationService;
import dev.slipway.source.zip.PackedZip;
import java.net.http.HttpRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NewPagesTest {
  private static final Map<String, String> SOURCE =
      Map.of("kind", "git", "source", "github", "repo", "acme/shop", "branch", "main");

  private final DashboardPlace place = new DashboardPlace();
  private final DashboardPlace.Browser browser = place.owner();

  @AfterEach
  void close() {
    place.close();
  }

  @Test
  void theFirstPageAsksForTheSourceAndStillHasWhatItIsCalledWith() {
    assertThat(browser.get("/new").body())
        .contains("<option value=\"github\"", "hx-get=\"/dashboard/new/branches\"")
        .contains("data-drop=\"/dashboard/uploads\"", "<noscript>");
    assertThat(browser.get("/new?kind=git&source=github&repo=acme%2Fshop&branch=next").body())
        .contains("value=\"acme/shop\"", "value=\"next\"");
  }

  @Test
  void theBranchesOfTheRepositoryAreListed() {
    String listed = browser.get("/new/branches?source=github&repo=acme/shop&branch=next").body();
    assertThat(listed)
        .contains("<select", "<option value=\"main\"", "<option value=\"next\" selected>")
        .doesNotContain("<html");

    place.plane.host.failOnce(
        new AppFailure(FailureCode.SOURCE_NOT_FOUND, "There is no <b>acme/shop</b>."));
    assertThat(browser.get("/new/branches?source=github&repo=acme/shop").body())
        .contains("There is no &lt;b&gt;acme/shop&lt;/b&gt;.", "<input", "value=\"main\"")
        .doesNotContain("<select");
    assertThat(browser.get("/new/branches?source=github&repo=nothing").body())
        .contains("owner/name");
  }

  @Test
  void thePlanIsShownBeforeAnythingIsMade() {
    writeApplication();
    browser.get("/new");
    DashboardPlace.Shown page = browser.post("/new/plan", with("step", "source"));

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.text())
        .contains("Detected: Node.js", "node server.js", "GET /", "Build and put live");
    assertThat(page.body())
        .contains("name=\"repo\" value=\"acme/shop\"", "name=\"branch\" value=\"main\"")
        .contains("name=\"project_name\" type=\"text\" value=\"shop\"");
    assertThat(page.body().getBytes(UTF_8)).hasSizeLessThan(100_000);
    assertThat(place.plane.count("project")).isZero();
  }

  @Test
  void whatIsWrongWithThePlaceIsSaidWhereItIsChosen() {
    browser.get("/new");
    Map<String, String> fields = new HashMap<>(with("step", "source"));
    fields.put("branch", "gone");
    DashboardPlace.Shown page = browser.post("/new/plan", fields);

    assertThat(page.status()).isEqualTo(400);
    assertThat(page.text()).contains("has no branch gone", "Say where the application is");
    assertThat(page.body()).contains("value=\"acme/shop\"", "value=\"gone\"");

    fields.put("kind", "zip");
    assertThat(browser.post("/new/plan", fields).text()).contains("choose a zip first");
  }

  @Test
  void ofARepositoryWithManyBranchesEachCanBeMigrated() {
    writeApplication();
    place.plane.host.branch(IntStream.range(0, 3_000).mapToObj(it -> "b" + it).toList());
    assertThat(browser.get("/new/branches?source=github&repo=acme/shop&branch=b2999").body())
        .contains("3,000 branches", "<input", "value=\"b2999\"")
        .doesNotContain("<select");
    browser.get("/new");
    Map<String, String> fields = new HashMap<>(with("step", "source"));
    fields.put("branch", "b2999");
    assertThat(browser.post("/new/plan", fields).text()).contains("Detected: Node.js");
    fields.put("branch", "b3000");
    assertThat(browser.post("/new/plan", fields).text()).contains("has no branch b3000");

    place.plane.host.failOnce(new RequestException(ErrorCode.UNAVAILABLE, "It takes too long."));
    assertThat(browser.post("/new/plan", fields).text())
        .as("the names cannot be had in time")
        .contains("Detected: Node.js");
  }

  @Test
  void whereThereIsNoPlanItsReasonIsShownAboveWhatCanBeSetRight() {
    place.plane.host.write("README.md", "");
    browser.get("/new");
    DashboardPlace.Shown page = browser.post("/new/plan", with("start_command", "node \"a b\".js"));

    assertThat(page.text()).contains("There is no plan yet", "package.json");
    assertThat(page.body()).contains("value=\"node &#34;a b&#34;.js\"");
  }

  @Test
  void theFormBecomesAMigrationWithAllThatWasFilledIn() {
    browser.get("/new");
    Map<String, String> fields = new HashMap<>(SOURCE);
    fields.put("project_name", "Harbour <shop>");
    fields.put("start_command", "node main.js");
    fields.put("health_check_path", "/health");
    fields.put("instances", "3");
    fields.put("instance_type", "large");
    fields.put("env_name", "GREETING");
    fields.put("env_value", "hello");
    fields.put("env_paste", "# both\nexport TOKEN=\"a b\"\r\n");
    fields.put("database_action", "none");
    DashboardPlace.Shown made = browser.post("/migrations", fields);

    assertThat(made.location()).as(made.body()).startsWith("/dashboard/migrations/mig_");
    MigrationService.Detail migration = read(made);
    assertThat(migration.project().name()).isEqualTo("Harbour <shop>");
    assertThat(migration.project().settings().instances()).isEqualTo(3);
    assertThat(migration.project().settings().instanceType()).isEqualTo("large");
    assertThat(migration.project().settings().overrides().healthCheckPath()).contains("/health");
    assertThat(
            place.plane.main.projects.env(place.plane.account, migration.project().id()).values())
        .containsExactlyInAnyOrderEntriesOf(Map.of("GREETING", "hello", "TOKEN", "a b"));

    DashboardPlace.Shown page = browser.get(made.location().substring("/dashboard".length()));
    assertThat(page.body())
        .contains("Migration of Harbour &lt;shop&gt;", "hx-trigger=\"every 2s\"", "data-stream=")
        .doesNotContain("<shop>");
  }

  @Test
  void whatIsRefusedKeepsWhatWasTypedButNoPassword() {
    place.plane.project("taken");
    browser.get("/new");
    Map<String, String> fields = new HashMap<>(SOURCE);
    fields.put("project_name", "taken");
    fields.put("region", "eu-west-1");
    fields.put("domain", "shop.example.org");
    fields.put("env_name", "MULTI");
    fields.put("env_value", "one\r\ntwo</textarea><script>");
    fields.put("database_action", "import");
    fields.put("database_type_import", "postgres");
    fields.put("import_from", "postgres://ann:s3cret-1@db.example.org/shop");
    fields.put("import_key", "s3cret-2");
    DashboardPlace.Shown page = browser.post("/migrations", fields);

    assertThat(page.status()).isBetween(400, 409);
    assertThat(page.text()).contains("That did not work", "taken");
    assertThat(page.body())
        .contains("value=\"taken\"", "value=\"shop.example.org\"", "value=\"MULTI\"")
        .contains("<option value=\"eu-west-1\" selected>", "value=\"import\" checked")
        .contains("value=\"postgres://ann@db.example.org/shop\"")
        .contains("two&lt;/textarea&gt;&lt;script&gt;")
        .doesNotContain("s3cret", "two</textarea>");
  }

  @Test
  void aFaultOfAPastedFileIsNamedByItsLine() {
    browser.get("/new");
    Map<String, String> fields = new HashMap<>(SOURCE);
    fields.put("env_paste", "A=1\nno name here\n");
    DashboardPlace.Shown page = browser.post("/migrations", fields);

    assertThat(page.status()).isEqualTo(400);
    assertThat(page.text()).containsIgnoringCase("line 2");
    assertThat(page.body()).contains("no name here");
  }

  @Test
  void anArchiveIsUploadedWithTheTokenOfThePageAndMigrated() {
    browser.get("/new");
    byte[] zip = PackedZip.of("package.json", MANIFEST);
    assertThat(upload(zip, "").status()).isEqualTo(403);
    DashboardPlace.Shown uploaded = upload(zip, browser.token());
    assertThat(uploaded.status()).as(uploaded.body()).isEqualTo(201);
    Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(uploaded.body());
    assertThat(id.find()).isTrue();

    Map<String, String> fields =
        Map.of(
            "step", "source", "kind", "zip", "upload_id", id.group(1), "upload_name", "site.zip");
    DashboardPlace.Shown plan = browser.post("/new/plan", fields);
    assertThat(plan.text()).contains("Detected: Node.js", "site.zip");
    assertThat(plan.body()).contains("name=\"project_name\" type=\"text\" value=\"site\"");
    DeploymentId first =
        read(browser.post("/migrations", fields)).migration().deploymentId().orElseThrow();
    String again = browser.post("/deployments/" + first + "/redeploy", Map.of()).location();
    assertThat(
            place
                .plane
                .read(new DeploymentId(again.substring(again.lastIndexOf('/') + 1)))
                .code()
                .upload())
        .isPresent()
        .isEqualTo(place.plane.read(first).code().upload());
  }

  @Test
  void aViewerMakesNothing() {
    DashboardPlace.Browser viewer = place.signedIn(place.plane.account, Role.VIEWER);

    assertThat(viewer.get("/new").status()).isEqualTo(403);
    viewer.get("/projects");
    assertThat(viewer.post("/new/plan", SOURCE).status()).isEqualTo(403);
    assertThat(viewer.post("/migrations", SOURCE).status()).isEqualTo(403);
  }

  private static final String MANIFEST =
      "{\"dependencies\": {\"express\": \"5\"}, \"scripts\": {\"start\": \"node server.js\"}}";

  private void writeApplication() {
    place.plane.host.write("package.json", MANIFEST);
    place.plane.host.write("server.js", "");
  }

  private DashboardPlace.Shown upload(byte[] zip, String token) {
    return browser.send(
        HttpRequest.newBuilder(place.uri("/uploads"))
            .header("Content-Type", "application/zip")
            .header("Content-Disposition", "attachment; filename*=UTF-8''site.zip")
            .header("X-CSRF-Token", token)
            .POST(HttpRequest.BodyPublishers.ofByteArray(zip))
            .build());
  }

  private MigrationService.Detail read(DashboardPlace.Shown made) {
    String id = made.location().substring(made.location().lastIndexOf('/') + 1);
    return place.plane.main.migrations.get(place.plane.account, new MigrationId(id));
  }

  private static Map<String, String> with(String name, String value) {
    Map<String, String> fields = new HashMap<>(SOURCE);
    fields.put(name, value);
    return fields;
  }
}
