package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Serving;
import dev.slipway.tool.ProvidedTool;
import dev.slipway.tool.Provision;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProgramToolsTest {
  private static final Provision PROVISION =
      new Provision(List.of(tool("node", "22.12.0"), tool("pnpm", "9.15.4")), List.of());

  @Test
  void aProgramNeedsItsLanguageButNotWhatInstalledIt() {
    assertThat(ProgramTools.of(PROVISION, program("node", "server.js")))
        .containsExactly("node@22.12.0");
  }

  @Test
  void aProgramNeedsAManagerThatStartsIt() {
    assertThat(ProgramTools.of(PROVISION, program("pnpm", "start")))
        .containsExactly("node@22.12.0", "pnpm@9.15.4");
  }

  @Test
  void aSiteNeedsNothing() {
    assertThat(
            ProgramTools.of(PROVISION, new Serving.Site("dist", Optional.of("index.html"), true)))
        .isEmpty();
  }

  private static Serving program(String... command) {
    return Serving.Program.of(List.of(command), Map.of());
  }

  private static ProvidedTool tool(String name, String version) {
    return new ProvidedTool(name, version, List.of(), Optional.empty());
  }
}
