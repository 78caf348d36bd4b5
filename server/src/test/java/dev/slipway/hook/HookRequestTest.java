package dev.slipway.hook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class HookRequestTest {
  @Test
  void theBodyIsHeldOnceHoweverManyReadIt() {
    byte[] body = new byte[8];

    assertThat(new HookRequest(Map.of(), body).body()).isSameAs(body);
  }
}
