package dev.slipway.source.zip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.source.Checkout;
import dev.slipway.source.Commit;
import dev.slipway.source.FetchCount;
import dev.slipway.source.FetchLimit;
import dev.slipway.source.WideLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZipSourceTest {
  private static final Commit COMMIT = new Commit("ab".repeat(32), "shop.zip");
  private static final int PIPE = 0010644;

  @TempDir Path directory;

  @Test
  void filesComeOutAsTheyWentIn() throws IOException {
    Checkout checkout =
        fetch(zip ->
            zip.file("package.json", "{}")
                .executable("bin/start", "#!/bin/sh")
                .folder("empty")
                .file("src/ä ö.txt", "x")
                .link("src/manifest", "../package.json"));

    assertThat(checkout.commit()).isEqualTo(COMMIT);
    assertThat(files(checkout.root()))
        .containsExactly(
            "bin", "bin/start", "empty", "package.json", "src", "src/manifest", "src/ä ö.txt");
    assertThat(Files.isExecutable(checkout.root().resolve("bin/start"))).isTrue();
    assertThat(Files.isExecutable(checkout.root().resolve("package.json"))).isFalse();
    assertThat(Files.readSymbolicLink(checkout.root().resolve("src/manifest")))
        .hasToString("../package.json");
    assertThat(checkout.text("src/manifest")).contains("{}");
  }

  @Test
  void theOnlyFolderAtTheTopIsLeftOut() throws IOException {
    Checkout checkout =
        fetch(zip ->
            zip.folder("shop-1.0")
                .file("shop-1.0/package.json", "{}")
                .file("shop-1.0/src/a.js", "")
                .link("shop-1.0/b.js", "src/a.js")
                .file("shop-1.0/.git/config", "secret")
                .file("__MACOSX/shop-1.0/._package.json", "")
                .file(".DS_Store", ""));

    assertThat(files(checkout.root())).containsExactly("b.js", "package.json", "src", "src/a.js");
  }

  @Test
  void twoFoldersAtTheTopAreNotLeftOut() throws IOException {
    Checkout checkout = fetch(zip -> zip.file("a/x", "").file("./b//y", ""));

    assertThat(files(checkout.root())).containsExactly("a", "a/x", "b", "b/y");
  }

  @ParameterizedTest
  @CsvSource({
    "/etc/passwd, absolute",
    "../x, leads out",
    "a/../../x, leads out",
    "a/.., leads out",
  })
  void aNameThatIsNoPlaceInsideIsRefused(String name, String why) {
    refused(zip -> zip.file("package.json", "{}").file(name, "x"), name, why);
  }

  @Test
  void aNameThatNoFileCanHaveIsRefused() {
    refusedAfter(
        zip -> zip.file("caf~", "x"), bytes -> bytes.replace("caf~", "caf\u00e9"), "UTF-8");
    refusedAfter(zip -> zip.file("a~b", "x"), bytes -> bytes.replace('~', '\\'), "backslash");
    refusedAfter(zip -> zip.file("nul~", "x"), bytes -> bytes.replace("nul~", "nul\0"), "NUL");
    refused(zip -> zip.file("x".repeat(256), ""), "xxx", "255 bytes");
    refused(zip -> zip.file("d/".repeat(101) + "x", ""), "d/d", "100 folders deep");
  }

  @Test
  void whatIsThereTwiceIsRefused() {
    refused(zip -> zip.file("a", "1").file("a", "2"), "a", "more than once");
    refused(zip -> zip.file("a", "1").file("./a", "2"), "a", "more than once");
    refused(zip -> zip.file("a", "1").file("a/b", "2"), "a/b", "below a");
    refused(zip -> zip.file("x", "").link("a", ".").file("a/b/c", "2"), "a/b/c", "below a");
  }

  @Test
  void aLinkThatLeadsOutIsRefused() {
    for (String target : List.of("/etc/passwd", "..", "../x", "a/../../x", "a/../..")) {
      refused(zip -> zip.file("x", "").link("l", target), "l", "leads out");
    }
    // By their texts both of these stay inside.
    refused(zip -> zip.file("x", "").link("l", ".").link("m", "l/l/l/../../.."), "m", "leads out");
    refused(zip -> zip.file("x", "").link("a/l", "..").link("m", "a/l/../y"), "m", "leads out");
    refused(zip -> zip.file("x", "").link("l", "m").link("m", "l"), "", "leads out");
    refused(zip -> zip.file("x", "").link("l", ""), "l", "no path");
    refused(zip -> zip.file("x", "").link("l", "y".repeat(5000)), "l", "too long");
  }

  @Test
  void aLinkThatLeadsNowhereInsideIsKept() throws IOException {
    Checkout checkout =
        fetch(zip -> zip.file("x", "").file("a/b/c", "").link("a/l", "b/../../d/e"));

    assertThat(Files.isSymbolicLink(checkout.root().resolve("a/l"))).isTrue();
  }

  @Test
  void whatIsNeitherFileNorFolderNorLinkIsRefused() {
    refused(zip -> zip.add("pipe", PIPE, new byte[0]), "pipe", "neither a file");
  }

  @Test
  void anEncryptedEntryIsRefused() {
    refusedAfter(
        zip -> zip.file("a", "text"),
        // The flags of the central directory's entry.
        bytes ->
            changed(
                bytes, bytes.indexOf("PK\1\2") + 8, bytes.charAt(bytes.indexOf("PK\1\2") + 8) | 1),
        "its entry a is encrypted");
  }

  @Test
  void anotherCompressionIsRefused() {
    refusedAfter(
        zip -> zip.file("a", "text"),
        bytes -> changed(bytes, bytes.indexOf("PK\1\2") + 10, 12),
        "its entry a is compressed by method 12");
  }

  @Test
  void anArchiveThatLiesIsRefused() {
    for (int field : new int[] {16, 24}) { // the checksum and the size
      refusedAfter(
          zip -> zip.file("a", "text"),
          bytes -> changed(bytes, bytes.indexOf("PK\1\2") + field, 3),
          "its entry a is damaged");
    }
    refusedAfter(
        zip -> zip.file("a", "text text text text"),
        bytes -> changed(bytes, bytes.indexOf("PK\1\2") - 5, 0xff),
        "its entry a is damaged");
  }

  @Test
  void whatIsNoArchiveIsRefused() throws IOException {
    for (String text : List.of("", "PK", "<html>", "PK\3\4" + "x".repeat(1000))) {
      Path file = Files.writeString(directory.resolve("no.zip"), text);
      assertRefused(file, "not a zip file");
    }
    refused(zip -> {}, "", "holds no files");
    refused(zip -> zip.folder("a").file(".DS_Store", ""), "", "holds no files");
  }

  @Test
  void moreEntriesThanAnApplicationHasAreRefused() {
    refused(
        zip -> {
          for (int i = 0; i <= Archive.MAX_ENTRIES; i++) {
            zip.folder(Integer.toString(i));
          }
        },
        "",
        "more than 100,000 entries");
  }

  @Test
  void moreBytesThanAreAllowedAreRefusedAsTheyCome() throws IOException {
    Path file = pack(zip -> zip.file("a", "x".repeat(1 << 20)).file("b", "x".repeat(1 << 20)));
    Path root = Files.createDirectory(directory.resolve("root"));
    try (Archive archive = Archive.open(file)) {
      Extraction extraction =
          new Extraction(archive, root, (2 << 20) - 1, new FetchCount(WideLimit.below(directory)));

      assertThatThrownBy(extraction::run).hasMessageContaining("larger than 1 MiB");
    }
  }

  @Test
  void moreThanABuildMayTakeOfTheDiskEndsItAsItComes() {
    Path file = pack(zip -> zip.file("a", "x".repeat(1 << 20)).file("b", "x".repeat(1 << 20)));
    Path target = directory.resolve("target");
    Map.of(
            new FetchLimit(directory.resolve("scratch"), (2 << 20) - 1, 0),
            FailureCode.DISK_LIMIT,
            new FetchLimit(directory.resolve("scratch"), 2 << 20, Long.MAX_VALUE),
            FailureCode.DISK_FULL)
        .forEach((limit, code) -> {
          AppFailure failure =
              catchThrowableOfType(
                  AppFailure.class,
                  () -> new ZipSource(file, COMMIT, limit).fetch(COMMIT.sha(), target));
          assertThat(failure.failure().code()).isEqualTo(code);
          assertThat(directory).isDirectoryNotContaining("glob:**target*");
        });
  }

  @Test
  void anArchiveThatIsGoneHasExpired() {
    ZipSource source =
        new ZipSource(directory.resolve("gone.zip"), COMMIT, WideLimit.below(directory));

    AppFailure failure = catchThrowableOfType(AppFailure.class, source::resolve);
    assertThat(failure.failure().code()).isEqualTo(FailureCode.UPLOAD_EXPIRED);
  }

  @Test
  void anInterruptionLeavesNothing() {
    Path file = pack(zip -> zip.file("a", "x"));
    Path target = directory.resolve("target");
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() ->
              new ZipSource(file, COMMIT, WideLimit.below(directory)).fetch(COMMIT.sha(), target))
          .isInstanceOf(CancellationException.class);
    } finally {
      Thread.interrupted();
    }
    assertThat(directory).isDirectoryNotContaining("glob:**target*");
  }

  private Checkout fetch(Consumer<PackedZip> content) {
    ZipSource source = new ZipSource(pack(content), COMMIT, WideLimit.below(directory));
    return source.fetch(source.resolve(), directory.resolve("target"));
  }

  private Path pack(Consumer<PackedZip> content) {
    Path file = directory.resolve("packed.zip");
    try (PackedZip zip = new PackedZip(file)) {
      content.accept(zip);
    }
    return file;
  }

  private void refused(Consumer<PackedZip> content, String entry, String why) {
    assertRefused(pack(content), why);
    assertThatThrownBy(() -> fetch(content)).hasMessageContaining(entry);
  }

  private void refusedAfter(Consumer<PackedZip> content, UnaryOperator<String> change, String why) {
    Path file = directory.resolve("changed.zip");
    PackedZip zip = new PackedZip(file);
    content.accept(zip);
    zip.closeAndChange(change);
    assertRefused(file, why);
  }

  private void assertRefused(Path file, String why) {
    Path target = directory.resolve("target");
    ZipSource source = new ZipSource(file, COMMIT, WideLimit.below(directory));
    AppFailure failure =
        catchThrowableOfType(AppFailure.class, () -> source.fetch(COMMIT.sha(), target));
    assertThat(failure).as(why).isNotNull();
    assertThat(failure.failure().code()).isEqualTo(FailureCode.ARCHIVE_REFUSED);
    assertThat(failure.failure().message()).contains(why);
    assertThat(target).doesNotExist();
    assertThat(directory.resolve("target.partial")).doesNotExist();
  }

  private static String changed(String bytes, int at, int value) {
    return bytes.substring(0, at) + (char) value + bytes.substring(at + 1);
  }

  private static List<String> files(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(path -> !path.equals(root))
          .map(path -> root.relativize(path).toString())
          .sorted()
          .toList();
    }
  }
}
