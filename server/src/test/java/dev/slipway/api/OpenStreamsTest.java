package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.AccountId;
import dev.slipway.core.RequestException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenStreamsTest {
  private final OpenStreams streams = new OpenStreams();
  private final AccountId account = AccountId.next();

  @Test
  void anAccountHasAHundredAtATimeAndHoldsUpNoOther() {
    List<OpenStreams.Stream> open = new ArrayList<>();
    for (int i = 0; i < OpenStreams.MAX_PER_ACCOUNT; i++) {
      open.add(streams.open(account));
    }

    assertThatThrownBy(() -> streams.open(account))
        .isInstanceOf(RequestException.class)
        .hasMessageContaining("100 event streams open");
    assertThatCode(() -> streams.open(AccountId.next())).doesNotThrowAnyException();
    open.getFirst().close();
    assertThatCode(() -> streams.open(account)).doesNotThrowAnyException();
  }
}
