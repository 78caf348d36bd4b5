package dev.slipway.framework.python;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PythonModuleTest {
  @Test
  void linesThatNobodyWouldWriteAreReadAtOnceToo() {
    String spaces = " ".repeat(300_000);

    PythonModule module =
        PythonModule.of(
            "a:%s!\ndef f()%s->%s!\napp = FastAPI()\n".formatted(spaces, spaces, spaces));

    assertThat(module.objects()).containsExactly("app");
  }
}
