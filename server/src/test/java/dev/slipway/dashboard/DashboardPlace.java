package dev.slipway.dashboard;

import dev.slipway.account.ApiKeys;
import dev.slipway.account.Audit;
import dev.slipway.account.Callers;
import dev.slipway.account.Invitations;
import dev.slipway.account.PasswordGate;
import dev.slipway.account.Role;
import dev.slipway.account.Sessions;
import dev.slipway.account.TestUsers;
import dev.slipway.account.Users;
import dev.slipway.api.Api;
import dev.slipway.api.ApiPlace;
import dev.slipway.config.RegionConfig;
import dev.slipway.config.RuntimeKind;
import dev.slipway.config.TierConfig;
import dev.slipway.core.AccountId;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.InstanceId;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.Plane;
import dev.slipway.edge.ClientAddress;
import dev.slipway.migration.SourceBranches;
import dev.slipway.project.Crashing;
import dev.slipway.project.CrashingStore;
import dev.slipway.sandbox.Protection;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The dashboard over a {@link Plane}, the API beside it, and browsers without scripts. */
final class DashboardPlace implements AutoCloseable {
  private static final String PASSWORD = "correct horse battery";
  private static final Pattern TOKEN = Pattern.compile("name=\"csrf\" value=\"([0-9a-f]+)\"");

  final ApiPlace api = new ApiPlace();
  final Plane plane = api.plane;
  private final PasswordGate gate = PasswordGate.forCores();
  private final Sessions sessions = new Sessions(plane.database, gate, plane.clock);
  private final HttpServer server;

  DashboardPlace() {
    this.server = api.serve(new Dashboard(parts()).handler());
  }

  private Dashboard.Parts parts() {
    Api.Parts parts = api.parts();
    return new Dashboard.Parts(
        plane.vertx,
        new Api(parts).local(),
        accounts(),
        parts.projects().service(),
        parts.projects().databases().service(),
        parts.deployments(),
        plane.main.deployments.history(),
        parts.projects().metrics(),
        plane.logs,
        new Dashboard.NewProjects(
            new SourceBranches(plane.sources, Duration.ofSeconds(10)), List.of("node-express"), 5),
        Plane.ADDRESSES,
        new ClientAddress(List.of()),
        parts.migrations(),
        parts.projects().domains(),
        parts.projects().hooks(),
        parts.projects().previews(),
        parts.webhooks(),
        facts(),
        plane.clock);
  }

  private ServerFacts facts() {
    return new ServerFacts(
        "1.2.3",
        Instant.now(),
        plane.directory,
        "own user, a test",
        () -> new Protection(true, true, true, true, Optional.of("install bubblewrap")),
        List.of(
            new RegionConfig(Plane.REGION, RuntimeKind.PROCESS),
            new RegionConfig("eu-west-1", RuntimeKind.PROCESS)),
        Map.of("free", new TierConfig(30, 100), "team", new TierConfig(6000, 100)),
        List.of(
            new ServerFacts.GitHost(
                "github", URI.create("https://github.com"), plane.account::equals)),
        100);
  }

  private Dashboard.AccountParts accounts() {
    return new Dashboard.AccountParts(
        sessions,
        new Users(plane.database, gate, plane.clock),
        new Invitations(plane.database, sessions, gate, plane.clock),
        new ApiKeys(plane.database, plane.clock),
        new Callers(plane.database, plane.clock),
        new Audit(plane.database, plane.clock));
  }

  /** What a browser shows. */
  record Shown(int status, HttpResponse<String> answer) {
    String body() {
      return answer.body();
    }

    String header(String name) {
      return answer.headers().firstValue(name).orElse("");
    }

    /** Where it is sent to; empty where it is not. */
    String location() {
      return header("Location");
    }

    /** The text of the page, without its tags. */
    String text() {
      return body()
          .replaceAll("(?s)<[^>]*>", " ")
          .replace("&lt;", "<")
          .replace("&gt;", ">")
          .replace("&#34;", "\"")
          .replace("&#39;", "'")
          .replace("&amp;", "&")
          .replaceAll("\\s+", " ");
    }
  }

  /** The owner of the plane's account, signed in. */
  Browser owner() {
    return signedIn(plane.account, Role.OWNER);
  }

  /** A new user of an account, signed in. */
  Browser signedIn(AccountId account, Role role) {
    Browser browser = new Browser();
    browser.signIn(TestUsers.add(plane.database, account, role, PASSWORD), PASSWORD);
    return browser;
  }

  /** What somebody wrote to his commit. */
  void message(Deployment deployment, String message) {
    plane.database.useTransaction(tx ->
        tx.execute(
            "UPDATE deployment SET commit_message = ? WHERE id = ?",
            message,
            deployment.id().value()));
  }

  /** From now on its program is said to crash again and again. */
  void crashing(Deployment deployment, String message) {
    plane.database.useTransaction(tx ->
        new CrashingStore()
            .begin(
                tx,
                deployment.id(),
                new CrashingStore.Report(
                    InstanceId.next(),
                    new Crashing(
                        plane.clock.instant(), new Failure(FailureCode.START_FAILED, message)),
                    List.of("Error: <b>last words</b>"))));
  }

  String addUser(Role role) {
    return TestUsers.add(plane.database, plane.account, role, PASSWORD);
  }

  static String password() {
    return PASSWORD;
  }

  int port() {
    return server.actualPort();
  }

  /** One that keeps cookies, and follows no redirect. */
  final class Browser {
    private final HttpClient client =
        HttpClient.newBuilder()
            .cookieHandler(new CookieManager(null, CookiePolicy.ACCEPT_ALL))
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    private String token = "";

    Shown signIn(String email, String password) {
      Shown answer = send(form("/sign-in", Map.of("email", email, "password", password)));
      if (answer.status() == 303) {
        get("/projects");
      }
      return answer;
    }

    /** A page below {@code /dashboard}; its forms' token is kept for {@link #post}. */
    Shown get(String path) {
      Shown page = send(HttpRequest.newBuilder(uri(path)).build());
      Matcher found = TOKEN.matcher(page.body());
      if (found.find()) {
        token = found.group(1);
      }
      return page;
    }

    /** Sends a form as a page of ours would. */
    Shown post(String path, Map<String, String> fields) {
      return send(form(path, with(fields, "csrf", token)));
    }

    Shown send(HttpRequest request) {
      try {
        HttpResponse<String> answer =
            client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        return new Shown(answer.statusCode(), answer);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    String token() {
      return token;
    }
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:%d/dashboard%s".formatted(port(), path));
  }

  HttpRequest form(String path, Map<String, String> fields) {
    String body =
        fields.entrySet().stream()
            .map(it -> encode(it.getKey()) + "=" + encode(it.getValue()))
            .collect(Collectors.joining("&"));
    return HttpRequest.newBuilder(uri(path))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .header("Origin", "http://127.0.0.1:" + port())
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  private static Map<String, String> with(Map<String, String> fields, String name, String value) {
    return Stream.concat(fields.entrySet().stream(), Map.of(name, value).entrySet().stream())
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (a, _) -> a));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    server.close().toCompletionStage().toCompletableFuture().join();
    api.close();
  }
}
