package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.AccountId;
import dev.slipway.core.DeploymentId;
import dev.slipway.deployment.Plane;
import dev.slipway.domain.DomainJob;
import dev.slipway.edge.Route;
import dev.slipway.project.Project;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ApiDomainTest {
  private static final Duration DAYS_UNTIL_FAILED = Duration.ofDays(3);
  private static final Pattern TEXT_RECORD = Pattern.compile("TXT record (\\S+) to ([0-9a-f]{32})");
  private final ApiPlace api = new ApiPlace();
  private final Project shop = api.plane.project("shop");

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void aDomainShowsTheRecordsToSet() {
    ApiPlace.Reply added = add(shop, "WWW.Bücher.Example");

    assertThat(added.status()).isEqualTo(201);
    assertThat(added.data().get("name").asText()).isEqualTo("www.xn--bcher-kva.example");
    assertThat(added.data().get("status").asText()).isEqualTo("pending");
    JsonNode records = added.data().get("verification");
    assertThat(records.get(0).get("type").asText()).isEqualTo("CNAME");
    assertThat(records.get(0).get("value").asText()).isEqualTo("shop.localhost");
    assertThat(records.get(1).get("type").asText()).isEqualTo("TXT");
    assertThat(records.get(1).get("value").asText()).hasSize(32);
    assertThat(api.get(uri(shop) + "/" + added.data().get("id").asText()).data())
        .isEqualTo(added.data());
  }

  @Test
  void domainsAreListedNewestFirstInPages() {
    for (String name : List.of("a.example", "b.example", "c.example")) {
      add(shop, name);
    }
    add(api.plane.project("blog"), "d.example");
    JsonNode first = api.get(uri(shop) + "?limit=2").json();
    JsonNode second =
        api.get(uri(shop) + "?limit=2&cursor=" + first.at("/pagination/next_cursor").asText())
            .json();

    assertThat(first.get("data").findValuesAsText("name")).contains("c.example", "b.example");
    assertThat(second.get("data")).hasSize(1);
    assertThat(second.at("/data/0/name").asText()).isEqualTo("a.example");
  }

  @Test
  void aNameThatCannotBeAProjectsIsRefusedWithTheReason() {
    assertThat(add(shop, "192.0.2.1").message()).contains("name: ", "IP address");
    assertThat(add(shop, "intranet").message()).contains("single label");
    assertThat(add(shop, "a b.example").message()).contains("not a host name");
    assertThat(add(shop, "other.LOCALHOST").message()).contains("gives out the names");
    assertThat(api.post(uri(shop), "{}").status()).isEqualTo(400);
    assertThat(api.plane.count("domain")).isZero();
  }

  @Test
  void aNameThatAProjectHasIsAConflict() {
    add(shop, "www.example.org");
    AccountId other = api.plane.addAccount();

    assertThat(add(shop, "www.example.org").status()).isEqualTo(409);
    ApiPlace.Reply blog = add(api.plane.project("blog"), "www.EXAMPLE.org");
    assertThat(blog.code()).isEqualTo("conflict");
    assertThat(blog.message()).doesNotContain(shop.id().value(), "shop");
    ApiPlace.Reply elsewhere =
        api.postAs(
            api.addKey(other),
            "/v1/migrations",
            "{\"source\": \"github\", \"repo\": \"acme/x\", \"domain\": \"www.example.org\"}");
    assertThat(elsewhere.status()).isEqualTo(409);
    assertThat(elsewhere.message())
        .startsWith("The domain www.example.org belongs to another project.");
    assertThat(api.plane.count("migration")).isZero();
    assertThat(api.plane.count("project")).isEqualTo(2);
  }

  @Test
  void aDomainLeadsToItsProjectOnceItsDnsSaysSo() {
    api.plane.deploy(shop);
    JsonNode added = add(shop, "www.example.org").data();
    api.plane.main.jobs.runDue();

    assertThat(read(added).get("status").asText()).isEqualTo("pending");
    assertThat(read(added).get("problem").asText()).contains("CNAME to shop.localhost");
    assertThat(target("www.example.org")).isEmpty();
    api.plane.dns.alias("www.example.org", "shop.localhost");
    later(Duration.ofSeconds(10));
    assertThat(read(added).get("status").asText()).isEqualTo("active");
    assertThat(read(added).has("problem")).isFalse();
    assertThat(target("www.example.org")).isPresent().isEqualTo(target("shop.localhost"));

    api.plane.dns.forget("www.example.org");
    later(Duration.ofHours(1));
    assertThat(read(added).get("status").asText()).isEqualTo("active");
    assertThat(read(added).get("problem").asText()).contains("no DNS record");
    later(DAYS_UNTIL_FAILED);
    assertThat(read(added).get("status").asText()).isEqualTo("failed");
    assertThat(target("www.example.org")).isEmpty();
    api.plane.dns.alias("www.example.org", "shop.localhost");
    later(Duration.ofHours(6));
    assertThat(read(added).get("status").asText()).isEqualTo("active");

    api.call("DELETE", uri(shop) + "/" + added.get("id").asText(), "");
    assertThat(target("www.example.org")).isEmpty();
    assertThat(target("shop.localhost")).isPresent();
    later(Duration.ofHours(1));
    assertThat(api.plane.main.jobs.waiting(DomainJob.KIND)).isEmpty();
  }

  @Test
  void whoeverSetsTheTextOfDnsTakesTheNameFromWhoHasIt() {
    api.plane.deploy(shop);
    api.plane.dns.alias("www.example.org", "shop.localhost");
    JsonNode held = add(shop, "www.example.org").data();
    api.plane.main.jobs.runDue();
    String request =
        "{\"source\": \"github\", \"repo\": \"acme/x\", \"domain\": \"www.example.org\"}";
    String key = api.addKey(api.plane.addAccount());
    String message = api.postAs(key, "/v1/migrations", request).message();
    Matcher record = TEXT_RECORD.matcher(message);
    assertThat(record.find()).as(message).isTrue();

    api.plane.dns.text(record.group(1), record.group(2));
    assertThat(add(api.plane.project("blog"), "www.example.org").status()).isEqualTo(409);
    assertThat(api.postAs(key, "/v1/migrations", request).status()).isEqualTo(201);
    assertThat(api.get(uri(shop) + "/" + held.get("id").asText()).status()).isEqualTo(404);
    api.plane.main.routes.refresh();
    assertThat(target("www.example.org")).isEmpty();
    api.plane.dns.forget("www.example.org").alias("www.example.org", "x.localhost");
    api.plane.main.jobs.runDue();
    assertThat(target("www.example.org")).isPresent().isEqualTo(target("x.localhost"));
  }

  @Test
  void anAccountHasOnlySoManyOfThem() {
    for (int i = 0; i < Plane.MAX_DOMAINS; i++) {
      assertThat(add(shop, "www%d.example.org".formatted(i)).status()).isEqualTo(201);
    }
    ApiPlace.Reply tooMany = add(api.plane.project("blog"), "blog.example.org");

    assertThat(tooMany.status()).isEqualTo(409);
    assertThat(tooMany.message()).contains("limits.domains_per_account");
    assertThat(api.plane.count("domain")).isEqualTo(Plane.MAX_DOMAINS);
  }

  @Test
  void aDomainThatIsRemovedIsFree() {
    String id = add(shop, "www.example.org").data().get("id").asText();
    Project blog = api.plane.project("blog");

    assertThat(api.call("DELETE", uri(blog) + "/" + id, "").status()).isEqualTo(404);
    assertThat(api.get(uri(blog) + "/" + id).status()).isEqualTo(404);
    ApiPlace.Reply removed = api.call("DELETE", uri(shop) + "/" + id, "");
    assertThat(removed.data().get("id").asText()).isEqualTo(id);
    assertThat(api.call("DELETE", uri(shop) + "/" + id, "").status()).isEqualTo(404);
    assertThat(add(blog, "www.example.org").status()).isEqualTo(201);
  }

  @Test
  void theDomainsOfADeletedProjectAreFree() {
    add(shop, "www.example.org");
    api.call("DELETE", "/v1/projects/" + shop.id(), "");

    assertThat(api.get(uri(shop)).status()).isEqualTo(404);
    assertThat(add(api.plane.project("blog"), "www.example.org").status()).isEqualTo(201);
  }

  @Test
  void aMigrationMayBringItsDomain() {
    ApiPlace.Reply wrong =
        api.post(
            "/v1/migrations",
            "{\"source\": \"gitea\", \"repo\": \"acme/x\", \"domain\": \"10.0.0.1\"}");
    assertThat(wrong.message()).contains("source: ", "domain: 10.0.0.1 is an IP address");
    JsonNode made =
        api.post(
                "/v1/migrations",
                "{\"source\": \"github\", \"repo\": \"acme/x\", \"domain\": \"x.example\"}")
            .data();

    JsonNode domains =
        api.get("/v1/projects/" + made.get("project_id").asText() + "/domains").data();
    assertThat(domains).hasSize(1);
    assertThat(domains.at("/0/name").asText()).isEqualTo("x.example");
    api.plane.main.jobs.runDue();
    assertThat(api.get("/v1/migrations/" + made.get("id").asText()).data().get("status").asText())
        .isEqualTo("complete");
  }

  private JsonNode read(JsonNode domain) {
    return api.get(uri(shop) + "/" + domain.get("id").asText()).data();
  }

  private void later(Duration time) {
    api.plane.clock.advance(time);
    api.plane.main.jobs.runDue();
  }

  private Optional<DeploymentId> target(String host) {
    return Optional.ofNullable(api.plane.main.table.get().routes().get(host))
        .map(Route::deployment);
  }

  private ApiPlace.Reply add(Project project, String name) {
    return api.post(uri(project), ApiPlace.json(Map.of("name", name)));
  }

  private static String uri(Project project) {
    return "/v1/projects/" + project.id() + "/domains";
  }
}
