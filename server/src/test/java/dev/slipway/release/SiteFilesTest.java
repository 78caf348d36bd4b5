package dev.slipway.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.aayushatharva.brotli4j.decoder.BrotliInputStream;
import com.github.luben.zstd.ZstdInputStream;
import dev.slipway.coding.Coding;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.ReleaseId;
import dev.slipway.sandbox.Trees;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the store knows of the files of a site, and how it compresses them. */
class SiteFilesTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String TEXT = "let slipway = 'a fairly repetitive program';\n".repeat(200);

  private Path directory;
  private ReleaseStore store;

  @BeforeEach
  void open() throws IOException {
    directory = Files.createTempDirectory("site-files-test-");
    store = new ReleaseStore(directory.resolve("releases"), Clock.systemUTC());
  }

  @AfterEach
  void delete() {
    Trees.delete(directory);
  }

  @Test
  void filesAndLinksOfAFolderAreToldRelativeToIt() throws IOException {
    Path tree = tree();
    write(tree, "dist/index.html", "<h1>");
    write(tree, "dist/a/b.js", "b");
    write(tree, "distant/other.js", "other");
    Files.createSymbolicLink(tree.resolve("dist/link"), Path.of("a/b.js"));

    ReleaseFiles files = store.files(pack(tree), "dist");

    assertThat(files.contents())
        .extracting(ReleaseFiles.Content::path)
        .containsExactly("a/b.js", "index.html");
    assertThat(files.contents().getLast().plain().path()).hasContent("<h1>");
    assertThat(files.contents().getLast().plain().bytes()).isEqualTo(4);
    assertThat(files.links()).containsExactly(new ReleaseFiles.Link("link", "a/b.js"));
  }

  @Test
  void whatShrinksIsKeptInEveryCodingAndSaysTheSame() throws IOException {
    Path tree = tree();
    write(tree, "app.js", TEXT);
    ReleaseId id = pack(tree);

    store.compress(id, "", LIMIT);

    Map<Coding, ReleaseFiles.Stored> coded = only(store.files(id, "")).coded();
    assertThat(coded).containsOnlyKeys(Coding.values());
    coded.forEach((coding, stored) -> {
      assertThat(decoded(coding, stored.path())).isEqualTo(TEXT);
      assertThat(stored.bytes()).isLessThan(TEXT.length() / 10);
    });
  }

  @Test
  void whatIsSmallOrDoesNotShrinkOrIsNoTextIsLeftAsItIs() throws IOException {
    Path tree = tree();
    byte[] noise = new byte[4000];
    new Random(4711).nextBytes(noise);
    write(tree, "small.js", "1");
    write(tree, "photo.jpg", TEXT);
    write(tree, "app.js.map", TEXT);
    Files.write(tree.resolve("noise.wasm"), noise);
    ReleaseId id = pack(tree);

    store.compress(id, "", LIMIT);

    assertThat(store.files(id, "").contents())
        .hasSize(4)
        .allSatisfy(content -> assertThat(content.coded()).isEmpty());
  }

  @Test
  void nothingIsCompressedTwiceNorWhatCouldNotBe() throws IOException {
    Path tree = tree();
    write(tree, "app.js", TEXT);
    Files.write(tree.resolve("noise.wasm"), noise());
    store.compress(pack(tree), "", LIMIT);
    FileTime longAgo = FileTime.fromMillis(1_000_000_000_000L);
    List<Path> variants = variants();
    for (Path variant : variants) {
      Files.setLastModifiedTime(variant, longAgo);
    }
    Path next = tree();
    write(next, "renamed.js", TEXT);
    Files.write(next.resolve("noise.wasm"), noise());

    store.compress(pack(next), "", LIMIT);

    assertThat(variants()).hasSize(6).containsExactlyInAnyOrderElementsOf(variants);
    for (Path variant : variants) {
      assertThat(Files.getLastModifiedTime(variant)).isEqualTo(longAgo);
    }
  }

  @Test
  void withoutTimeItIsServedAsItIs() throws IOException {
    Path tree = tree();
    write(tree, "app.js", TEXT);
    ReleaseId id = pack(tree);

    store.compress(id, "", Duration.ZERO);

    assertThat(only(store.files(id, "")).coded()).isEmpty();
  }

  @Test
  void compressedFilesGoWithTheReleaseThatTheyWereMadeFor() throws IOException {
    Path tree = tree();
    write(tree, "app.js", TEXT);
    ReleaseId kept = pack(tree);
    Path other = tree();
    write(other, "other.js", TEXT + "other");
    ReleaseId dropped = pack(other);
    store.compress(kept, "", LIMIT);
    store.compress(dropped, "", LIMIT);
    ReleaseStore later =
        new ReleaseStore(
            directory.resolve("releases"),
            Clock.offset(Clock.systemUTC(), ReleaseStore.MINIMUM_AGE.plusDays(1)));

    later.collect(Set.of(kept));

    assertThat(variants()).hasSize(3);
    assertThat(only(later.files(kept, "")).coded()).hasSize(3);
  }

  private static byte[] noise() {
    byte[] noise = new byte[4000];
    new Random(42).nextBytes(noise);
    return noise;
  }

  private Path tree() throws IOException {
    return Files.createTempDirectory(directory, "tree-");
  }

  private ReleaseId pack(Path tree) {
    return store.pack(ReleaseId.of(DeploymentId.next()), tree).id();
  }

  private static void write(Path tree, String name, String text) throws IOException {
    Path file = tree.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static ReleaseFiles.Content only(ReleaseFiles files) {
    assertThat(files.contents()).hasSize(1);
    return files.contents().getFirst();
  }

  private List<Path> variants() throws IOException {
    try (var all = Files.walk(directory.resolve("releases/variants"))) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private static String decoded(Coding coding, Path file) {
    try {
      InputStream coded = new ByteArrayInputStream(Files.readAllBytes(file));
      try (InputStream plain =
          switch (coding) {
            case ZSTD -> new ZstdInputStream(coded);
            case BROTLI -> new BrotliInputStream(coded);
            case GZIP -> new GZIPInputStream(coded);
          }) {
        return new String(plain.readAllBytes(), StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
