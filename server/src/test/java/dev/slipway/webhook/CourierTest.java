package dev.slipway.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.Eventually;
import dev.slipway.core.Secret;
import dev.slipway.core.WebhookId;
import dev.slipway.event.Event;
import dev.slipway.event.EventType;
import dev.slipway.job.Job;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CourierTest {
  private static final Duration DAYS = Duration.ofDays(1);

  @TempDir private Path directory = Path.of("");
  private Optional<WebhookPlace> made = Optional.empty();
  private final CountDownLatch over = new CountDownLatch(1);

  @BeforeEach
  void make() {
    made = Optional.of(new WebhookPlace(directory));
  }

  @AfterEach
  void close() {
    over.countDown();
    place().close();
  }

  private WebhookPlace place() {
    return made.orElseThrow();
  }

  @Test
  void eachEventReachesEachEndpointThatTakesItOnce() {
    Receiver all = place().receiver();
    Receiver some = place().receiver();
    WebhookId first = place().webhook(all.url());
    WebhookId second =
        place()
            .service
            .create(place().account, some.url(), List.of(EventType.DOMAIN_FAILED))
            .webhook()
            .id();
    place().service.create(place().addAccount(), some.url(), List.of());
    place().courier("one");

    List<Event> live = place().happen("dep_1", 2);
    Event failed = place().next(place().account, EventType.DOMAIN_FAILED, "dom_1");
    place().place(List.of(failed));

    place().await(first, DeliveryStatus.DELIVERED, 3);
    place().await(second, DeliveryStatus.DELIVERED, 1);
    assertThat(all.bodies())
        .containsExactlyInAnyOrder(live.get(0).body(), live.get(1).body(), failed.body());
    assertThat(some.messages()).singleElement().matches(it -> it.id().equals(failed.id().value()));
    Delivery delivery = place().only(second);
    assertThat(delivery.attemptCount()).isOne();
    assertThat(delivery.completedAt()).isPresent();
    assertThat(delivery.eventType()).isEqualTo("domain.failed");
    assertThat(place().attempts(second)).singleElement().matches(it -> it.answer().isPresent());
  }

  @Test
  void whatFailedIsSentAgainWithTheSameIdAndATimeOfItsOwn() {
    Receiver receiver = place().receiver();
    receiver.answer(500);
    WebhookId webhook = place().webhook(receiver.url());
    Courier courier = place().courier("one");
    place().happen("dep_1", 1);
    place().awaitAttempts(webhook, 1);
    assertThat(place().only(webhook).nextAttemptAt().orElseThrow())
        .isBetween(
            place().clock.instant().plusSeconds(5), place().clock.instant().plusMillis(5500));

    receiver.answer(204);
    place().later(Duration.ofSeconds(6), courier);

    place().await(webhook, DeliveryStatus.DELIVERED, 1);
    List<Receiver.Message> messages = receiver.messages();
    assertThat(messages).hasSize(2);
    assertThat(messages.get(1).id()).isEqualTo(messages.get(0).id());
    assertThat(messages.get(1).body()).isEqualTo(messages.get(0).body());
    assertThat(messages.get(1).header("webhook-timestamp"))
        .isNotEqualTo(messages.get(0).header("webhook-timestamp"));
    assertThat(place().attempts(webhook)).extracting(Attempt::number).containsExactly(1, 2);
    assertThat(place().only(webhook).error()).isEmpty();
  }

  @Test
  void anEndpointThatAsksToBeLeftAloneIsLeftAloneSoLong() {
    Receiver receiver = place().receiver();
    receiver.answer(
        request -> request.response().setStatusCode(503).putHeader("Retry-After", "3600").end());
    WebhookId webhook = place().webhook(receiver.url());
    place().courier("one");

    place().happen("dep_1", 1);

    place().awaitAttempts(webhook, 1);
    assertThat(place().only(webhook).nextAttemptAt())
        .contains(place().clock.instant().plusSeconds(3600));
  }

  @Test
  void anEndpointThatIsGoneIsDisabledAtOnceWithAllThatWaits() {
    Receiver receiver = place().receiver();
    receiver.answer(500);
    WebhookId webhook = place().webhook(receiver.url());
    Courier courier = place().courier("one");
    place().happen("dep_1", 1);
    place().awaitAttempts(webhook, 1);
    receiver.answer(410);

    place().happen("dep_2", 1);

    place().await(webhook, DeliveryStatus.FAILED, 2);
    Webhook disabled = place().service.get(place().account, webhook);
    assertThat(disabled.enabled()).isFalse();
    assertThat(disabled.disabledReason().orElseThrow()).contains("410");
    assertThat(place().deliveries(webhook))
        .extracting(it -> it.error().orElseThrow())
        .containsExactly(
            "The endpoint answered 410.", "The endpoint was disabled before this could be sent.");
    int before = receiver.messages().size();
    place().happen("dep_2", 1);
    place().later(DAYS, courier);
    assertThat(place().deliveries(webhook)).hasSize(2);
    assertThat(receiver.messages()).hasSize(before);
  }

  @Test
  void anEndpointThatTookNothingForThreeDaysIsDisabled() {
    Receiver receiver = place().receiver();
    receiver.answer(500);
    WebhookId webhook = place().webhook(receiver.url());
    Courier courier = place().courier("one");
    place().happen("dep_1", 1);
    for (int attempt = 1; attempt < Retries.ATTEMPTS; attempt++) {
      place().awaitAttempts(webhook, attempt);
      place().later(DAYS.plusHours(3), courier);
    }

    place().await(webhook, DeliveryStatus.FAILED, 1);
    assertThat(place().only(webhook).attemptCount()).isEqualTo(10);
    assertThat(place().only(webhook).error()).contains("The endpoint answered 500.");
    Webhook disabled = place().service.get(place().account, webhook);
    assertThat(disabled.enabled()).isFalse();
    assertThat(disabled.disabledReason().orElseThrow()).contains("10 times over three days");
    place()
        .service
        .update(
            place().account,
            webhook,
            new WebhookService.Change(Optional.empty(), Optional.empty(), Optional.of(true)));
    assertThat(place().service.get(place().account, webhook).disabledReason()).isEmpty();
  }

  @Test
  void oneThatTookSomethingElseMeanwhileIsNot() {
    Receiver receiver = place().receiver();
    receiver.answer(500);
    WebhookId webhook = place().webhook(receiver.url());
    Courier courier = place().courier("one");
    place().happen("dep_1", 1);
    place().awaitAttempts(webhook, 1);
    receiver.answer(200);
    place().happen("dep_2", 1);
    place().await(webhook, DeliveryStatus.DELIVERED, 1);
    receiver.answer(500);
    for (int attempt = 2; attempt <= Retries.ATTEMPTS; attempt++) {
      place().later(DAYS.plusHours(3), courier);
      int made = attempt;
      Eventually.holds(
          "attempt " + made, () -> place().deliveries(webhook).getLast().attemptCount() == made);
    }

    place().await(webhook, DeliveryStatus.FAILED, 1);
    assertThat(place().service.get(place().account, webhook).enabled()).isTrue();
  }

  @Test
  void eventsOfAResourceBeginInTheirOrderAlsoWhereEachFails() {
    Receiver receiver = place().receiver();
    List<String> begun = new CopyOnWriteArrayList<>();
    AtomicInteger under = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    receiver.answer(request -> {
      begun.add(request.getHeader("webhook-id"));
      most.accumulateAndGet(under.incrementAndGet(), Math::max);
      place()
          .vertx
          .setTimer(
              5,
              _ -> {
                under.decrementAndGet();
                request.response().setStatusCode(begun.size() % 2 == 0 ? 500 : 200).end();
              });
    });
    WebhookId webhook = place().webhook(receiver.url());
    List<Event> events = new ArrayList<>(place().happen("dep_1", 10));
    place().courier("one");
    events.addAll(place().happen("dep_1", 10));

    Eventually.holds("all were sent", () -> begun.size() == 20);
    Eventually.holds(
        "all is written",
        () -> place().deliveries(webhook).stream().allMatch(it -> it.attemptCount() == 1));
    assertThat(begun)
        .containsExactlyElementsOf(events.stream().map(it -> it.id().value()).toList());
    assertThat(most.get()).isOne();
  }

  @Test
  void aDeadEndpointHoldsUpNeitherOthersNorItsOtherResources() {
    Receiver living = place().receiver();
    try (RawReceiver dead = new RawReceiver(_ -> over.await())) {
      WebhookId deaf = place().webhook(dead.url());
      WebhookId heard = place().webhook(living.url());
      place().courier("one", Duration.ofMinutes(5));

      for (int resource = 0; resource < 30; resource++) {
        place().happen("dep_" + resource, 5);
      }

      place().await(heard, DeliveryStatus.DELIVERED, 150);
      assertThat(place().deliveries(deaf)).allMatch(it -> it.attemptCount() == 0);
      assertThat(place().deliveries(deaf).stream().filter(it -> it.nextAttemptAt().isEmpty()))
          .as("the first of eight resources are sent, the others of each wait for these")
          .hasSize(150 - 30 + Slots.PER_ENDPOINT);
    }
  }

  @Test
  void noMoreIsUnderWayAtOnceThanAnEndpointMayHave() {
    Receiver receiver = place().receiver();
    List<HttpServerRequest> held = new CopyOnWriteArrayList<>();
    receiver.answer(held::add);
    WebhookId webhook = place().webhook(receiver.url());
    place().courier("one");
    for (int resource = 0; resource < 20; resource++) {
      place().happen("dep_" + resource, 1);
    }
    Eventually.holds("it has eight", () -> held.size() == Slots.PER_ENDPOINT);

    receiver.answer(200);
    assertThat(held).hasSize(Slots.PER_ENDPOINT);
    held.forEach(request -> request.response().end());

    place().await(webhook, DeliveryStatus.DELIVERED, 20);
  }

  @Test
  void aWorkerThatStartsAgainTakesBackWhatItWasSending() {
    WebhookId webhook = take("one");

    place().courier("one");

    place().await(webhook, DeliveryStatus.DELIVERED, 1);
  }

  @Test
  void anotherWorkerTakesItWhenTheLeaseIsOver() {
    WebhookId webhook = take("one");
    Courier other = place().courier("two");
    place().later(Duration.ofSeconds(50), other);
    assertThat(place().only(webhook).status()).isEqualTo(DeliveryStatus.PENDING);

    place().later(Duration.ofSeconds(15), other);

    place().await(webhook, DeliveryStatus.DELIVERED, 1);
  }

  /** As by a worker that is killed while it sends. */
  private WebhookId take(String worker) {
    WebhookId webhook = place().webhook(place().receiver().url());
    place().happen("dep_1", 1);
    Dispatch killed = new Dispatch(place().database, place().vault, worker, place().clock);
    assertThat(killed.work(true)).hasSize(1);
    return webhook;
  }

  @Test
  void whoHasLostItsLeaseWritesNothing() {
    WebhookId webhook = place().webhook(place().receiver().url());
    place().happen("dep_1", 1);
    Dispatch paused = new Dispatch(place().database, place().vault, "one", place().clock);
    Sending sending = paused.work(true).getFirst();
    place().clock.advance(Duration.ofMinutes(2));
    place().courier("two");
    place().await(webhook, DeliveryStatus.DELIVERED, 1);

    paused.over(
        sending,
        new Attempt(
            1,
            place().clock.instant(),
            Duration.ZERO,
            Map.of(),
            Optional.empty(),
            Optional.of("too late")));
    assertThat(paused.work(true)).isEmpty();

    assertThat(place().only(webhook).status()).isEqualTo(DeliveryStatus.DELIVERED);
    assertThat(place().attempts(webhook)).hasSize(1).allMatch(it -> it.error().isEmpty());
  }

  @Test
  void bothSecretsSignForADayAfterARotation() throws Exception {
    Receiver receiver = place().receiver();
    WebhookService.Revealed first =
        place().service.create(place().account, receiver.url(), List.of());
    WebhookId webhook = first.webhook().id();
    Secret second = place().service.rotateSecret(place().account, webhook).secret();
    Courier courier = place().courier("one");

    place().happen("dep_1", 1);
    place().await(webhook, DeliveryStatus.DELIVERED, 1);
    Receiver.Message both = receiver.messages().getFirst();
    assertThat(signatures(both)).containsExactly(sign(both, second), sign(both, first.secret()));

    place().later(Duration.ofHours(24), courier);
    place().happen("dep_1", 1);
    place().await(webhook, DeliveryStatus.DELIVERED, 2);
    Receiver.Message one = receiver.messages().getLast();
    assertThat(signatures(one)).containsExactly(sign(one, second));
  }

  @Test
  void aSecretThatDoesNotOpenIsAFailureOfItsEndpointAlone() {
    Receiver receiver = place().receiver();
    WebhookId broken = place().webhook(receiver.url());
    WebhookId sound = place().webhook(receiver.url());
    place()
        .database
        .useTransaction(
            tx -> tx.execute("UPDATE webhook SET secret = 'none' WHERE id = ?", broken.value()));
    place().courier("one");

    place().happen("dep_1", 1);

    place().await(sound, DeliveryStatus.DELIVERED, 1);
    place().awaitAttempts(broken, 1);
    assertThat(place().attempts(broken))
        .singleElement()
        .matches(it ->
            it.error().equals(Optional.of("A fault of this server kept it from being sent.")));
    assertThat(receiver.messages()).hasSize(1);
  }

  private static List<String> signatures(Receiver.Message message) {
    return List.of(message.header("webhook-signature").split(" "));
  }

  private static String sign(Receiver.Message message, Secret secret) throws Exception {
    return new com.standardwebhooks.Webhook(secret.reveal())
        .sign(message.id(), Long.parseLong(message.header("webhook-timestamp")), message.body());
  }

  @Test
  void aTestGoesToItsEndpointAloneWhateverThatTakes() {
    Receiver receiver = place().receiver();
    Receiver other = place().receiver();
    place().webhook(other.url());
    WebhookId webhook =
        place()
            .service
            .create(place().account, receiver.url(), List.of(EventType.DOMAIN_FAILED))
            .webhook()
            .id();
    place().courier("one");

    Delivery test = place().service.test(place().account, webhook);

    place().await(webhook, DeliveryStatus.DELIVERED, 1);
    assertThat(receiver.messages())
        .singleElement()
        .matches(it -> it.id().equals(test.eventId().value()));
    assertThat(receiver.bodies().getFirst()).contains("\"type\":\"webhook.test\"");
    assertThat(other.messages()).isEmpty();
  }

  @Test
  void whatIsSentAgainHasTheSameIdAndWaitsForNothing() {
    Receiver receiver = place().receiver();
    WebhookId webhook = place().webhook(receiver.url());
    place().courier("one");
    place().happen("dep_1", 1);
    place().await(webhook, DeliveryStatus.DELIVERED, 1);

    Delivery again =
        place().service.redeliver(place().account, webhook, place().only(webhook).id());

    place().await(webhook, DeliveryStatus.DELIVERED, 2);
    assertThat(receiver.messages())
        .hasSize(2)
        .allMatch(it -> it.id().equals(again.eventId().value()));
  }

  @Test
  void whatIsDisabledWhileItIsSentStaysFailed() {
    Receiver receiver = place().receiver();
    List<HttpServerRequest> held = new CopyOnWriteArrayList<>();
    receiver.answer(held::add);
    WebhookId webhook = place().webhook(receiver.url());
    place().courier("one");
    place().happen("dep_1", 2);
    Eventually.holds("it is being sent", () -> held.size() == 1);

    place()
        .service
        .update(
            place().account,
            webhook,
            new WebhookService.Change(Optional.empty(), Optional.empty(), Optional.of(false)));
    held.getFirst().response().end();

    place().await(webhook, DeliveryStatus.FAILED, 2);
    assertThat(
            place()
                .service
                .delivery(place().account, webhook, place().only(webhook).id())
                .attempts())
        .isEmpty();
    Eventually.holds(
        "what came of it is kept", () -> place().deliveries(webhook).getLast().attemptCount() == 1);
    assertThat(place().deliveries(webhook)).allMatch(it -> it.status() == DeliveryStatus.FAILED);
    assertThat(receiver.messages()).hasSize(1);
  }

  @Test
  void aLateAnswerDisablesNoEndpointThatWasMended() {
    WebhookId webhook = place().webhook(place().receiver().url());
    place().happen("dep_1", 1);
    Dispatch dispatch = new Dispatch(place().database, place().vault, "one", place().clock);
    Sending ended = dispatch.work(true).getFirst();
    enable(webhook, false);
    enable(webhook, true);
    place().happen("dep_2", 1);
    dispatch.look();
    Sending moved = dispatch.work(true).getFirst();
    Webhook mended =
        place()
            .service
            .update(
                place().account,
                webhook,
                new WebhookService.Change(
                    Optional.of(place().receiver().url()), Optional.empty(), Optional.empty()));

    for (Sending sending : List.of(ended, moved)) {
      dispatch.over(sending, gone());
    }
    assertThat(dispatch.work(true)).isEmpty();

    assertThat(place().service.get(place().account, webhook)).isEqualTo(mended);
    assertThat(place().deliveries(webhook))
        .hasSize(2)
        .allMatch(it -> it.status() == DeliveryStatus.FAILED && it.attemptCount() == 1);
  }

  @Test
  void whatThereWasNoRoomForIsNoAttemptAndIsSentSoon() {
    WebhookId webhook = place().webhook(place().receiver().url());
    place().happen("dep_1", 1);
    Dispatch dispatch = new Dispatch(place().database, place().vault, "one", place().clock);

    dispatch.postponed(dispatch.work(true).getFirst());
    assertThat(dispatch.work(true)).isEmpty();

    assertThat(place().only(webhook).attemptCount()).isZero();
    assertThat(place().only(webhook).nextAttemptAt())
        .contains(place().clock.instant().plusSeconds(5));
    place().clock.advance(Duration.ofSeconds(5));
    assertThat(dispatch.work(true)).hasSize(1);
  }

  private Attempt gone() {
    return new Attempt(
        1,
        place().clock.instant(),
        Duration.ZERO,
        Map.of(),
        Optional.of(new Attempt.Answer(410, Map.of(), "")),
        Optional.of("The endpoint answered 410."));
  }

  @Test
  void muchThatWaitsEndsFailedAfterTheDisablingAndIsNotSentWhenItIsEnabledAgain() throws Exception {
    Receiver receiver = place().receiver();
    WebhookId webhook = place().webhook(receiver.url());
    place().happen("dep_1", 2 * Clearing.AT_ONCE);
    enable(webhook, false);
    enable(webhook, true);
    assertThat(rows("webhook_delivery WHERE status = 'PENDING'")).isEqualTo(Clearing.AT_ONCE);
    List<Event> later = place().happen("dep_1", 2);

    place().courier("one");
    place().await(webhook, DeliveryStatus.DELIVERED, 2);
    assertThat(receiver.bodies())
        .containsExactlyElementsOf(later.stream().map(Event::body).toList());

    clear();
    assertThat(rows("webhook_delivery WHERE status = 'FAILED'")).isEqualTo(2 * Clearing.AT_ONCE);
    assertThat(rows("webhook_delivery WHERE error LIKE '%was disabled%'"))
        .isEqualTo(2 * Clearing.AT_ONCE);
  }

  @Test
  void oneWithMuchIsGoneAtOnceAndItsRowsAreDeletedAfterwards() throws Exception {
    WebhookId webhook = place().webhook(place().receiver().url());
    place().happen("dep_1", 2 * Clearing.AT_ONCE);

    place().service.delete(place().account, webhook);

    assertThat(rows("webhook_delivery")).isEqualTo(Clearing.AT_ONCE);
    assertThat(place().service.list(place().account, Optional.empty(), 10)).isEmpty();
    assertThat(place().service.newest(place().account)).isEmpty();
    assertThatThrownBy(() -> place().service.get(place().account, webhook))
        .hasMessageContaining("There is no webhook");
    assertThat(place().happen("dep_1", 1)).hasSize(1);
    clear();
    assertThat(rows("webhook_delivery")).isZero();
    assertThat(rows("webhook")).isZero();
  }

  private void enable(WebhookId webhook, boolean enabled) {
    assertThat(
            place()
                .service
                .update(
                    place().account,
                    webhook,
                    new WebhookService.Change(
                        Optional.empty(), Optional.empty(), Optional.of(enabled)))
                .enabled())
        .isEqualTo(enabled);
  }

  /** Runs what was asked for to be done afterwards. */
  private void clear() throws InterruptedException {
    Clearing clearing = new Clearing(place().database, place().vault, place().clock);
    List<String> asked =
        place()
            .database
            .read(tx ->
                tx.createQuery("SELECT task_instance FROM chore_tasks WHERE task_name = ?")
                    .bind(0, clearing.kind().name())
                    .mapTo(String.class)
                    .list());
    assertThat(asked).hasSize(1);
    assertThat(clearing.run(asked.getFirst())).isEqualTo(Job.Outcome.DONE);
  }

  @Test
  void whatHasEndedIsDeletedAfterThirtyDaysAndNothingElse() {
    Receiver receiver = place().receiver();
    WebhookId webhook = place().webhook(receiver.url());
    Courier courier = place().courier("one");
    place().happen("dep_1", 1);
    place().await(webhook, DeliveryStatus.DELIVERED, 1);
    place().later(Duration.ofDays(29), courier);
    place().happen("dep_2", 1);
    place().await(webhook, DeliveryStatus.DELIVERED, 2);
    place().service.redeliver(place().account, webhook, place().deliveries(webhook).getLast().id());
    place().await(webhook, DeliveryStatus.DELIVERED, 3);

    place().clock.advance(Duration.ofDays(2));
    place().service.forgetOld();

    assertThat(place().deliveries(webhook)).hasSize(2);
    assertThat(place().deliveries(webhook))
        .allSatisfy(it ->
            assertThat(place().service.delivery(place().account, webhook, it.id()).body())
                .contains("deployment.live"));
    place().clock.advance(Duration.ofDays(30));
    place().service.forgetOld();
    assertThat(place().deliveries(webhook)).isEmpty();
    assertThat(rows("webhook_message")).isZero();
    assertThat(rows("webhook_attempt")).isZero();
  }

  private int rows(String table) {
    return place()
        .database
        .read(tx -> tx.createQuery("SELECT count(*) FROM " + table).mapTo(Integer.class).one());
  }
}
