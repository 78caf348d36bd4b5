package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.slipway.account.Role;
import dev.slipway.core.AccountId;
import dev.slipway.core.DeliveryId;
import dev.slipway.core.EventId;
import dev.slipway.core.Eventually;
import dev.slipway.core.WebhookId;
import dev.slipway.dashboard.DashboardPlace.Browser;
import dev.slipway.dashboard.DashboardPlace.Shown;
import dev.slipway.webhook.Courier;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Each test has an account of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebhookPagesTest {
  private static final String LIST = "/settings/webhooks";
  private static final String URL = "https://hooks.example.org/slipway";
  private static final String HOSTILE = "<script>alert(1)</script>\u001b[31m\u202egpj.exe";
  private static final Pattern SECRET = Pattern.compile("data-copy=\"(whsec_[A-Za-z0-9+/=]+)\"");
  private static final Pattern WEBHOOK =
      Pattern.compile("href=\"/dashboard(/settings/webhooks/whk_[0-9a-z]{26})\"");

  private final DashboardPlace place = new DashboardPlace();
  private AccountId account = place.plane.account;
  private Browser member = place.owner();

  @BeforeEach
  void begin() {
    account = place.plane.addAccount();
    member = place.signedIn(account, Role.MEMBER);
    member.get(LIST);
  }

  @AfterAll
  void close() {
    place.close();
  }

  @Test
  void aWebhookThatIsMadeShowsItsSecretOnceAndHowToCheckWithIt() {
    assertThat(member.get(LIST).text()).contains("No webhooks", "Add an address below");

    Shown made = member.post(LIST, Map.of("url", URL, "which", "all"));

    assertThat(made.status()).isEqualTo(200);
    assertThat(made.header("Cache-Control")).isEqualTo("no-store");
    assertThat(made.text()).contains("The webhook is made", ".verify(body, headers)");
    assertThat(made.body()).containsPattern(SECRET);
    Shown list = member.get(LIST);
    assertThat(list.text()).contains(URL, "Enabled", "All", "None yet");
    assertThat(list.body()).doesNotContain("whsec_");
    assertThat(member.get(path()).body()).doesNotContain("whsec_");
  }

  @Test
  void eventsAreChosenAndAreStillChosenWhereTheAddressIsRefused() {
    Shown refused =
        member.post(
            LIST, Map.of("url", "ftp://\"><b>", "which", "some", "events", "deployment.live"));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).contains("That did not work", "https://");
    assertThat(refused.body())
        .contains("value=\"ftp://&#34;>&lt;b>\"", "value=\"deployment.live\" checked")
        .contains("value=\"some\" checked");
    assertThat(member.post(LIST, Map.of("url", URL, "which", "some")).text())
        .contains("No event is chosen: choose those to send, or all.");
    assertThat(member.get(LIST).text()).contains("No webhooks");
    member.post(LIST, Map.of("url", URL, "which", "some", "events", "deployment.live"));
    assertThat(member.get(LIST).text()).contains("deployment.live");

    Shown saved = member.post(path(), Map.of("url", URL + "/2", "which", "all"));

    assertThat(saved.location()).isEqualTo("/dashboard" + path() + "?done=webhook-saved");
    assertThat(member.get(path()).text()).contains(URL + "/2", "Events All");
  }

  @Test
  void aNewSecretIsShownOnceAndTheFormerOneIsSaidToLastForADay() {
    Matcher first = SECRET.matcher(member.post(LIST, Map.of("url", URL, "which", "all")).body());
    assertThat(first.find()).isTrue();
    assertThat(member.get(path()).text()).contains("stays valid for 24 hours");

    Shown rotated = member.post(path() + "/rotate", Map.of());

    Matcher second = SECRET.matcher(rotated.body());
    assertThat(second.find()).isTrue();
    assertThat(second.group(1)).isNotEqualTo(first.group(1));
    assertThat(rotated.text()).contains("The webhook has a new secret");
    assertThat(member.get(path()).body()).doesNotContain("whsec_");
  }

  @Test
  void oneThatIsDisabledSaysWhyAndIsEnabledAgain() {
    make();
    assertThat(member.post(path() + "/disable", Map.of()).location()).endsWith("webhook-disabled");
    assertThat(member.get(path()).text()).contains("Disabled", "Enable");
    assertThat(member.post(path() + "/test", Map.of()).status()).isEqualTo(409);
    place.plane.database.useTransaction(tx ->
        tx.execute(
            "UPDATE webhook SET disabled_reason = 'It answered 410 <b>Gone</b>.' WHERE account_id = ?",
            account.value()));

    Shown list = member.get(LIST);
    assertThat(list.text()).contains("It answered 410 <b>Gone</b>.").doesNotContain("Send a test");
    assertThat(list.body()).contains("badge bad").doesNotContain("<b>Gone");
    assertThat(member.get(path()).text()).contains("This server disabled it.");

    assertThat(member.post(path() + "/enable", Map.of()).location()).endsWith("webhook-enabled");
    assertThat(member.get(path()).text())
        .contains("Enabled")
        .doesNotContain("This server disabled");
  }

  @Test
  void oneThatIsDeletedIsGone() {
    make();
    String path = path();

    assertThat(member.post(path + "/delete", Map.of()).location())
        .isEqualTo("/dashboard/settings/webhooks?done=webhook-deleted");

    assertThat(member.get(LIST).text()).contains("No webhooks");
    assertThat(member.get(path).status()).isEqualTo(404);
  }

  @Test
  void aTestIsFollowedUntilItIsDeliveredAndItsAnswerIsTextWhateverItHolds() throws IOException {
    make();
    try (Evil endpoint = new Evil(200);
        Courier _ = courier()) {
      sendTo(endpoint);
      Shown sent = member.post(path() + "/test", Map.of());
      assertThat(sent.location()).startsWith("/dashboard" + path() + "/deliveries/");
      String delivery = sent.location().replaceAll("^/dashboard|\\?.*", "");
      Eventually.holds("delivered", () -> member.get(delivery).text().contains("Delivered"));

      Shown page = member.get(delivery);

      assertThat(page.text())
          .contains("webhook.test", "\"type\" : \"webhook.test\"", "webhook-signature: v1,")
          .contains("Attempt 1", "200", "-evil: <script>alert(1)</script>");
      assertThat(page.body())
          .doesNotContain("<script>alert", "\u001b", "\u202e", "hx-trigger")
          .contains("&lt;script&gt;alert(1)&lt;/script&gt;�[31m�gpj.exe")
          .contains("href=\"/dashboard" + path() + "\"");
      assertThat(member.get(path()).text()).contains("webhook.test", "Delivered");
      assertThat(member.get(LIST).text()).contains("Delivered");

      Shown again = member.post(delivery + "/redeliver", Map.of());

      assertThat(again.location()).contains("done=redelivered").doesNotContain(delivery);
      Eventually.holds("sent again", () -> endpoint.requests.get() == 2);
    }
  }

  @Test
  void whatFailedSaysWhyAndWhenItIsTriedAgainAndIsAskedForAnewUntilThen() throws IOException {
    make();
    try (Evil endpoint = new Evil(500);
        Courier _ = courier()) {
      sendTo(endpoint);
      String delivery =
          member.post(path() + "/test", Map.of()).location().replaceAll("^/dashboard|\\?.*", "");
      Eventually.holds("tried", () -> member.get(delivery).text().contains("Attempt 1"));

      Shown page = member.get(delivery);

      assertThat(page.text()).contains("Retrying", "Next attempt", "500");
      assertThat(page.body()).contains("hx-trigger=\"every 2s\"", "/state?seen=pending-1");
      assertThat(member.get(delivery + "/state?seen=pending-1").status()).isEqualTo(204);
      assertThat(member.get(delivery + "/state?seen=pending-0").body())
          .startsWith("<div class=\"stack\" id=\"state\"");
      assertThat(member.get(path()).text()).contains("Retrying", "next");
    }
  }

  @Test
  void deliveriesStandOnPagesByTheirState() {
    make();
    for (int i = 0; i < 26; i++) {
      delivery("DELIVERED", "dep_%026d".formatted(i));
    }
    delivery("FAILED", "prj_" + "0".repeat(26));

    Shown first = member.get(path());
    assertThat(first.text()).contains("The endpoint answered 500.", "dep_0000…0025");
    assertThat(first.text()).doesNotContain("dep_0000…0001");
    assertThat(first.body()).contains("href=\"/dashboard/deployments/dep_" + "0".repeat(24) + "25");
    Matcher older =
        Pattern.compile("href=\"/dashboard([^\"]*cursor=[^\"]*)\"").matcher(first.body());
    assertThat(older.find()).isTrue();
    assertThat(member.get(older.group(1).replace("&amp;", "&")).text())
        .contains("dep_0000…0001", "Newest")
        .doesNotContain("dep_0000…0025");
    assertThat(member.get(path() + "?status=failed").text())
        .contains("prj_0000…0000")
        .doesNotContain("dep_0000");
    assertThat(member.get(path() + "?status=pending").text()).contains("No delivery is like that");
    assertThat(member.get(path() + "/rows?status=failed").body())
        .startsWith("<tbody id=\"delivery-rows\"");
    assertThat(first.body().length()).isLessThan(100_000);
  }

  @Test
  void aDeliveryWithTenAnswersAsLargeAsTheyGetIsASmallPage() {
    make();
    DeliveryId delivery = delivery("FAILED", "prj_" + "0".repeat(26));
    for (int i = 1; i <= 10; i++) {
      int number = i;
      place.plane.database.useTransaction(tx ->
          tx.execute(
              """
              INSERT INTO webhook_attempt
                  (delivery_id, number, at, duration_ms, request_headers, status, headers, body, error)
              VALUES (?, ?, ?, 15000, '{}', 500, ?, ?, 'The endpoint answered 500.')
              """,
              delivery.value(),
              number,
              place.plane.clock.instant(),
              "{\"a\": \"%s\"}".formatted("<>&".repeat(5_000)),
              "<&>".repeat(341)));
    }

    Shown page = member.get(path() + "/deliveries/" + delivery);

    assertThat(page.text()).contains("Attempt 10", "Attempt 1", "(cut)");
    assertThat(page.body().getBytes(StandardCharsets.UTF_8).length).isLessThan(100_000);
  }

  @Test
  void viewersAndOtherAccountsSeeNothingOfIt() {
    make();
    DeliveryId delivery = delivery("DELIVERED", "prj_" + "0".repeat(26));
    String path = path();
    Browser viewer = place.signedIn(account, Role.VIEWER);
    Browser other = place.signedIn(place.plane.addAccount(), Role.OWNER);
    other.get(LIST);

    assertThat(viewer.get("/settings").text()).doesNotContain("Webhooks");
    for (String page : new String[] {path, path + "/rows", path + "/deliveries/" + delivery}) {
      assertThat(viewer.get(page).status()).as(page).isEqualTo(403);
      assertThat(other.get(page).status()).as(page).isEqualTo(403);
    }
    assertThat(viewer.get(LIST).status()).isEqualTo(403);
    for (String deed : new String[] {"", "/enable", "/disable", "/rotate", "/test", "/delete"}) {
      Map<String, String> form = Map.of("url", URL, "which", "all");
      assertThat(viewer.post(path + deed, form).status()).as(deed).isEqualTo(403);
      assertThat(other.post(path + deed, form).status()).as(deed).isEqualTo(403);
    }
    assertThat(other.get(LIST).text()).contains("No webhooks");
    assertThat(member.get(LIST + "/" + WebhookId.next()).status()).isEqualTo(404);
    assertThat(member.get(path + "/deliveries/" + DeliveryId.next()).status()).isEqualTo(404);
  }

  /** Answers with what should not get into a page. */
  private static final class Evil implements AutoCloseable {
    private final HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final AtomicInteger requests = new AtomicInteger();

    Evil(int status) throws IOException {
      server.createContext(
          "/",
          exchange -> {
            exchange.getRequestBody().readAllBytes();
            var _ = requests.incrementAndGet();
            exchange.getResponseHeaders().set("X-Evil", "<script>alert(1)</script>");
            byte[] body = HOSTILE.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
          });
      server.start();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  private void make() {
    member.post(LIST, Map.of("url", URL, "which", "all"));
  }

  /** Of the account's only one. */
  private String path() {
    Matcher found = WEBHOOK.matcher(member.get(LIST).body());
    assertThat(found.find()).isTrue();
    return found.group(1);
  }

  /** The API of this place takes no address of this machine. */
  private void sendTo(Evil endpoint) {
    URI url = URI.create("http://127.0.0.1:" + endpoint.server.getAddress().getPort() + "/");
    place.plane.database.useTransaction(tx ->
        tx.execute(
            "UPDATE webhook SET url = ? WHERE account_id = ?", url.toString(), account.value()));
  }

  private Courier courier() {
    return new Courier(
            place.plane.database,
            place.plane.vault,
            place.plane.vertx,
            "worker",
            true,
            place.plane.clock)
        .start(place.plane.notifications);
  }

  private DeliveryId delivery(String status, String resource) {
    DeliveryId id = DeliveryId.next();
    EventId event = EventId.next();
    place.plane.database.useTransaction(tx -> {
      tx.execute(
          "INSERT INTO webhook_message (event_id, body, used_at) VALUES (?, '{}', ?)",
          event.value(),
          place.plane.clock.instant());
      tx.execute(
          """
          INSERT INTO webhook_delivery
              (id, webhook_id, event_id, event_type, resource, status, attempt_count, error, created_at, completed_at)
          SELECT ?, id, ?, 'deployment.live', ?, ?, 1,
                 CASE ? WHEN 'FAILED' THEN 'The endpoint answered 500.' END, ?, ?
            FROM webhook WHERE account_id = ?
          """,
          id.value(),
          event.value(),
          resource,
          status,
          status,
          place.plane.clock.instant(),
          place.plane.clock.instant(),
          account.value());
    });
    return id;
  }
}
