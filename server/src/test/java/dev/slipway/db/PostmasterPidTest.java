package dev.slipway.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PostmasterPidTest {
  private static final List<String> WHOLE =
      List.of("4242", "/data", "1795000000", "29333", "", "127.0.0.1", "  123  4", "ready   ");

  @Test
  void aWholeFileTellsNumberPortAndStatus() {
    assertThat(PostmasterPid.parse(WHOLE)).contains(new PostmasterPid(4242, 29333, "ready"));
    assertThat(PostmasterPid.parse(WHOLE).orElseThrow().isReady()).isTrue();
  }

  @Test
  void aFileThatIsJustBeingWrittenIsNotReady() {
    assertThat(PostmasterPid.parse(WHOLE.subList(0, 3)))
        .contains(new PostmasterPid(4242, 0, ""))
        .hasValueSatisfying(it -> assertThat(it.isReady()).isFalse());
    assertThat(PostmasterPid.parse(List.of())).isEmpty();
    assertThat(PostmasterPid.parse(List.of(""))).isEmpty();
  }

  @Test
  void oneThatIsStoppingIsNotReady() {
    PostmasterPid stopping = new PostmasterPid(1, 29333, "stopping");
    assertThat(stopping.isReady()).isFalse();
  }
}
