package dev.slipway.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.InstanceId;
import dev.slipway.core.TransientException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AllTrafficTest {
  private final List<InstanceId> instances = List.of(InstanceId.next());
  private final HandEdge first = new HandEdge();
  private final HandEdge second = new HandEdge();

  @Test
  void theLeastIdleCounts() {
    first.idle = true;
    Traffic both = new AllTraffic(first, second);

    assertThat(both.idle(instances)).containsValue(Duration.ZERO);
    second.idle = true;
    assertThat(both.idle(instances)).containsValue(Duration.ofHours(1));
  }

  @Test
  void whereOneDoesNotCloseTheOthersOpenAgain() {
    first.idle = true;

    assertThat(new AllTraffic(first, second).closeIdle(instances, Duration.ZERO)).isFalse();

    assertThat(first.reopened).isTrue();
    assertThat(second.reopened).isFalse();
  }

  @Test
  void whereOneCannotBeAskedTheOthersOpenAgain() {
    first.idle = true;

    assertThatThrownBy(
            () -> new AllTraffic(first, new Unreachable()).closeIdle(instances, Duration.ZERO))
        .isInstanceOf(TransientException.class);

    assertThat(first.reopened).isTrue();
  }

  private static final class Unreachable implements Traffic {
    @Override
    public Map<InstanceId, Duration> idle(Collection<InstanceId> asked) {
      throw away();
    }

    @Override
    public boolean closeIdle(Collection<InstanceId> asked, Duration atLeast) {
      throw away();
    }

    @Override
    public void reopen(Collection<InstanceId> asked) {
      throw away();
    }

    @Override
    public CompletableFuture<Boolean> drain(InstanceId instance, Duration limit) {
      throw away();
    }

    private static TransientException away() {
      return new TransientException("the store is away, says a test");
    }
  }
}
