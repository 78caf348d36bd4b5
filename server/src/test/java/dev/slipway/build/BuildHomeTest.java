package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildHomeTest {
  @TempDir Path directory;
  private Path downloads;
  private BuildUser user;

  @BeforeEach
  void make() throws IOException {
    downloads = Files.createDirectory(directory.resolve("downloads"));
    user = new BuildUser((Integer) Files.getAttribute(directory, "unix:uid"), false);
  }

  @Test
  void everyManagersDownloadsComeBackTogether() throws IOException {
    BuildHome home = furnished("one");
    Files.writeString(home.directory().resolve(".npm/of-npm"), "npm");
    Files.writeString(home.directory().resolve(".bun/install/cache/of-bun"), "bun");
    Files.writeString(home.directory().resolve(".yarn/berry/of-yarn"), "yarn");
    Files.createDirectory(home.directory().resolve(".cache/pip"));

    home.moveDownloads(downloads);
    BuildHome next = furnished("two");

    assertThat(next.directory().resolve(".npm/of-npm")).hasContent("npm");
    assertThat(next.directory().resolve(".bun/install/cache/of-bun")).hasContent("bun");
    assertThat(next.directory().resolve(".yarn/berry/of-yarn")).hasContent("yarn");
    assertThat(next.directory().resolve(".cache/pip")).isDirectory();
  }

  @Test
  void managersThatAreToldAreTold() throws IOException {
    BuildHome home = furnished("one");

    assertThat(home.directory().resolve(".npmrc")).hasContent("registry=https://npm.example");
    assertThat(home.directory().resolve(".config/pnpm/rc"))
        .content()
        .contains("store-dir=${HOME}/.cache/pnpm");
    assertThat(home.directory().resolve(".config/pnpm/config.yaml"))
        .content()
        .contains("storeDir: ${HOME}/.cache/pnpm");
  }

  @Test
  void aLinkThatAProgramLeftInPlaceOfItsDownloadsIsNotFollowed() throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "s");
    BuildHome home = furnished("one");
    Files.move(home.directory().resolve(".cache"), directory.resolve("away"));
    Files.createSymbolicLink(home.directory().resolve(".cache"), outside);

    home.moveDownloads(downloads);

    assertThat(downloads).isEmptyDirectory();
    assertThat(Files.isSymbolicLink(downloads)).isFalse();
  }

  @Test
  void aLinkThatAProgramLeftAmongThemStaysALink() throws IOException {
    Path outside = directory.resolve("outside");
    Files.createSymbolicLink(downloads.resolve("npm"), outside);

    furnished("one");

    assertThat(Files.exists(outside, LinkOption.NOFOLLOW_LINKS)).isFalse();
  }

  private BuildHome furnished(String name) {
    BuildHome home = new BuildHome(directory.resolve(name), user);
    home.furnish(downloads, "registry=https://npm.example");
    return home;
  }
}
