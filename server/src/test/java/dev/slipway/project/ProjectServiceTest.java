package dev.slipway.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.AccountId;
import dev.slipway.core.AtOnce;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.Plane;
import dev.slipway.framework.Overrides;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProjectServiceTest {
  private final Plane plane = new Plane();

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void onlyTheOwnerMayUseIt() {
    ProjectId id = plane.project("shop").id();
    AccountId other = plane.addAccount();

    assertThat(refused(() -> service().get(other, id)).code()).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refused(() -> service().env(other, id)).code()).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refused(() -> service().get(plane.account, ProjectId.next())).code())
        .isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void aListIsTheAccountsNewestFirst() {
    List<ProjectId> made =
        IntStream.range(0, 3).mapToObj(i -> plane.project("app-" + i).id()).toList();

    assertThat(service().list(plane.account, Optional.empty(), 2))
        .extracting(Project::id)
        .containsExactly(made.get(2), made.get(1));
    assertThat(service().list(plane.account, Optional.of(made.get(1)), 2))
        .extracting(Project::id)
        .containsExactly(made.getFirst());
    assertThat(service().list(plane.addAccount(), Optional.empty(), 2)).isEmpty();
  }

  @Test
  void itShowsTheFrameworkThatWasFoundUnlessOneIsSet() {
    Project project = plane.project("shop");
    assertThat(service().get(plane.account, project.id()).framework()).isEmpty();

    Deployment live = plane.deploy(project);
    assertThat(service().get(plane.account, project.id()).framework())
        .isEqualTo(live.framework())
        .isPresent();

    change(project, old -> with(old, Optional.of("nextjs"), old.previews()));
    assertThat(service().get(plane.account, project.id()).framework()).contains("nextjs");
  }

  @Test
  void aNameThatIsTakenIsAConflict() {
    Project shop = plane.project("shop");
    plane.project("blog");

    RequestException conflict =
        refused(() ->
            service()
                .change(plane.account, shop.id(), Optional.of("blog"), UnaryOperator.identity()));

    assertThat(conflict.code()).isEqualTo(ErrorCode.CONFLICT);
    assertThat(conflict.getMessage()).startsWith("name: ").contains("blog");
  }

  @Test
  void itMayKeepItsName() {
    Project shop = plane.project("shop");

    assertThat(
            service()
                .change(plane.account, shop.id(), Optional.of("shop"), UnaryOperator.identity())
                .name())
        .isEqualTo("shop");
  }

  @Test
  void ofMoreThatWantANameAtOnceOneGetsIt() throws Exception {
    List<ProjectId> ids =
        IntStream.range(0, 5).mapToObj(i -> plane.project("app-" + i).id()).toList();

    assertThat(AtOnce.each(ids, id -> takesName(id, "shop")))
        .containsExactlyInAnyOrder(true, false, false, false, false);
    assertThat(plane.count("project WHERE name = 'shop'")).isEqualTo(1);
  }

  @Test
  void theAddressStaysWhenTheNameChanges() {
    Project shop = plane.project("shop");
    plane.deploy(shop);

    Project renamed =
        service().change(plane.account, shop.id(), Optional.of("store"), UnaryOperator.identity());

    assertThat(renamed.name()).isEqualTo("store");
    assertThat(plane.main.route("shop")).isPresent();
    assertThat(plane.main.route("store")).isEmpty();
  }

  @Test
  void withoutPreviewsDeploymentsHaveNoAddressAndWhatIsAwakeIsPutToSleep() {
    Project project = plane.project("shop");
    Deployment first = plane.deploy(project);
    Deployment second = plane.deploy(project);
    plane.main.wake(first.id()).join();
    assertThat(plane.main.runtime.running()).hasSize(2);

    change(project, old -> with(old, old.overrides().framework(), Previews.OFF));

    assertThat(plane.main.route(first.previewLabel())).isEmpty();
    assertThat(plane.main.route(second.previewLabel())).isEmpty();
    assertThat(plane.main.route("shop")).isPresent();
    assertThat(previewUrl(second.id())).isEmpty();
    plane.main.jobs.runDue();
    assertThat(plane.main.runtime.running()).hasSize(1);

    change(project, old -> with(old, old.overrides().framework(), Previews.UNLISTED));
    assertThat(plane.main.route(first.previewLabel())).isPresent();
    assertThat(previewUrl(second.id())).isPresent();
  }

  @Test
  void aPreviewThatIsBeingStartedWhenPreviewsEndIsEnded() {
    Project project = plane.project("shop");
    Deployment first = plane.deploy(project);
    plane.deploy(project);
    plane.main.runtime.duringNextStart(
        () -> change(project, old -> with(old, old.overrides().framework(), Previews.OFF)));

    assertThat(plane.main.wake(first.id()).handle((target, failure) -> failure).join()).isNotNull();
    assertThat(plane.main.runtime.running()).hasSize(1);
    assertThat(plane.count("instance")).isEqualTo(1);
  }

  @Test
  void aRollbackPausesAutoDeploy() {
    Project project = plane.project("shop");
    Deployment first = plane.deploy(project);
    plane.deploy(project);
    assertThat(plane.read(project).settings().autoDeploy()).isTrue();

    plane.rollBack(first);

    assertThat(plane.read(project).settings().autoDeploy()).isFalse();
  }

  @Test
  void variablesActWithTheNextDeployment() {
    Project project = plane.project("shop");
    Deployment before = plane.deploy(project);
    service()
        .changeEnv(
            plane.account,
            project.id(),
            EnvScope.PRODUCTION,
            old -> old.with(new EnvVars(Map.of("COLOUR", "red"))));
    Deployment after = plane.deploy(project);

    assertThat(plane.main.runtime.started().getLast().env().values())
        .containsEntry("COLOUR", "red")
        .containsEntry("GREETING", "hello");
    Deployment back = plane.rolledBackTo(before);
    assertThat(plane.read(project).liveDeploymentId()).contains(back.id());
    assertThat(plane.main.runtime.started().getLast().env().values()).doesNotContainKey("COLOUR");
    assertThat(plane.read(after).status().served()).isTrue();
  }

  @Test
  void variablesAreTooManyTogetherOnly() {
    Project project = plane.project("shop");
    Map<String, String> many = new LinkedHashMap<>();
    IntStream.range(0, 999).forEach(i -> many.put("V" + i, "x"));
    service()
        .changeEnv(
            plane.account, project.id(), EnvScope.PRODUCTION, old -> old.with(new EnvVars(many)));

    RequestException merged =
        refused(() ->
            service()
                .changeEnv(
                    plane.account,
                    project.id(),
                    EnvScope.PRODUCTION,
                    old -> old.with(new EnvVars(Map.of("W", "x")))));
    RequestException overlaid =
        refused(() -> plane.trigger(project, new EnvVars(Map.of("W", "x"))));

    assertThat(merged.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(merged.getMessage()).startsWith("env_vars: ").contains("1,000");
    assertThat(overlaid.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(plane.count("deployment")).isZero();
    assertThat(service().env(plane.account, project.id()).values()).hasSize(1_000);
  }

  @Test
  void changesOfVariablesAtOnceAreAllKept() throws Exception {
    Project project = plane.project("shop");
    List<String> names = IntStream.range(0, 8).mapToObj(i -> "V" + i).toList();

    AtOnce.each(
        names,
        name ->
            service()
                .changeEnv(
                    plane.account,
                    project.id(),
                    EnvScope.PRODUCTION,
                    old -> old.with(new EnvVars(Map.of(name, "x")))));

    assertThat(service().env(plane.account, project.id()).values()).hasSize(9);
  }

  @Test
  void theHealthCheckAsksThePathThatIsSet() {
    Project project = plane.project("shop");
    change(
        project,
        old ->
            new Settings(
                old.branch(),
                old.instanceType(),
                old.instances(),
                old.autoDeploy(),
                old.previews(),
                old.previewForks(),
                old.sleepAfter(),
                old.database(),
                overrides(Optional.empty(), Optional.of("/ready?now=1"))));
    Deployment deployment =
        plane.trigger(project, new EnvVars(Map.of("HEALTHY_AT", "/ready?now=1")));
    plane.main.jobs.runDue();

    assertThat(plane.read(deployment).status().served()).isTrue();
  }

  @Test
  void aPortOfTheUsersIsNotUsedAndTheLogSaysSo() {
    Project project = plane.project("shop");
    Deployment deployment = plane.trigger(project, new EnvVars(Map.of("PORT", "80")));
    plane.main.jobs.runDue();

    assertThat(plane.log(deployment.logId()))
        .anyMatch(entry -> entry.message().startsWith("The variable PORT is set by the platform"));
  }

  private ProjectService service() {
    return plane.main.projects;
  }

  private Project change(Project project, UnaryOperator<Settings> edit) {
    return service().change(plane.account, project.id(), Optional.empty(), edit);
  }

  private static Settings with(Settings old, Optional<String> framework, Previews previews) {
    return new Settings(
        old.branch(),
        old.instanceType(),
        old.instances(),
        old.autoDeploy(),
        previews,
        old.previewForks(),
        old.sleepAfter(),
        old.database(),
        overrides(framework, Optional.empty()));
  }

  private static Overrides overrides(Optional<String> framework, Optional<String> healthCheckPath) {
    return new Overrides(
        framework,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        healthCheckPath);
  }

  private Optional<String> previewUrl(DeploymentId id) {
    return plane.main.service().get(plane.account, id).previewUrl();
  }

  /** False where another project has the name. */
  private boolean takesName(ProjectId id, String name) {
    try {
      service().change(plane.account, id, Optional.of(name), UnaryOperator.identity());
      return true;
    } catch (RequestException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT);
      return false;
    }
  }

  private static RequestException refused(Callable<?> request) {
    return catchThrowableOfType(RequestException.class, request::call);
  }
}
