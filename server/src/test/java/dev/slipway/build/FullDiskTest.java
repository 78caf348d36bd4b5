package dev.slipway.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.slipway.core.AppFailure;
import dev.slipway.core.EnvVars;
import dev.slipway.core.FailureCode;
import dev.slipway.sandbox.Trees;
import dev.slipway.source.git.GitRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Builds on a disk that is really full: a small one that only this test uses. */
class FullDiskTest {
  private static final long DISK_BYTES = 64L << 20;

  private final KeptLog log = new KeptLog();
  private Path directory;
  private GitRepository shop;
  private BuildPlace place;
  private BuildPipeline pipeline;

  @BeforeEach
  void mount() throws Exception {
    directory = BuildPlace.directory("full-disk-test-");
    place = BuildPlace.below(directory, EnvVars.NONE);
    Files.createDirectory(place.dataDir());
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "mode=755,size=" + DISK_BYTES, "tmpfs", data()) == 0,
        "this host mounts nothing for us: there is no disk to fill");
    shop = place.shop();
    pipeline =
        place.pipeline(
            new BuildConfig(BuildPlace.TIMEOUT, BuildPlace.LIMITS, 1 << 30, 4 << 20, 1 << 30));
  }

  @AfterEach
  void unmount() throws Exception {
    run("umount", "--lazy", data()); // also where something still runs there
    Trees.delete(directory);
  }

  @Test
  void aStepThatFillsTheDiskSaysSoAndTheNextBuildIsWell() throws Exception {
    // Writes until it is refused, and ends by itself at once: it may be seen, or be faster.
    build("open('rest', 'wb').write(open('/dev/zero', 'rb').read(1 << 26))");

    AppFailure failure = failure();

    assertThat(failure.failure().code()).isEqualTo(FailureCode.DISK_FULL);
    assertThat(failure).hasMessageContaining("disk of the server");
    assertThat(place.dataDir().resolve("builds")).isEmptyDirectory();
    assertThat(place.releases().exists(place.release())).isFalse();
    assertThat(Files.getFileStore(place.dataDir()).getUsableSpace())
        .isGreaterThan(DISK_BYTES * 3 / 4);

    build("open('built.txt', 'w').write('well')");
    BuildPlace next = place.next();
    BuiltRelease built = pipeline.run(next.request(next.host(), new SeenSteps()), next.log(log));

    assertThat(built.release().id()).isEqualTo(next.release());
    assertThat(next.released("built.txt").orElseThrow()).hasContent("well");
  }

  @Test
  void aRepositoryThatDoesNotFitIsToldSo() throws Exception {
    Files.write(directory.resolve("work/large.bin"), new byte[(int) DISK_BYTES]);
    build("open('built.txt', 'w').write('well')");

    assertThat(failure().failure().code()).isEqualTo(FailureCode.DISK_FULL);
    assertThat(place.dataDir().resolve("builds")).isEmptyDirectory();
  }

  private void build(String program) {
    shop.write("build.py", program);
    shop.write(
        "package.json",
        """
        {"name": "shop", "dependencies": {"express": "file:./vendor/express"},
         "scripts": {"build": "python3 build.py"}}
        """);
    shop.commit("main", "Shop");
  }

  private AppFailure failure() {
    AppFailure failure =
        catchThrowableOfType(
            AppFailure.class,
            () -> pipeline.run(place.request(place.host(), new SeenSteps()), place.log(log)));
    assertThat(failure).as(() -> String.join("\n", log.messages())).isNotNull();
    return failure;
  }

  private String data() {
    return place.dataDir().toString();
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(List.of(command))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
