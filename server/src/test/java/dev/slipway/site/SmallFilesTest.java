package dev.slipway.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.release.ReleaseFiles.Stored;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmallFilesTest {
  @TempDir private Path folder;

  @Test
  void aFileIsReadOnceAndEachHasAViewOfItsOwn() throws IOException {
    SmallFiles files = new SmallFiles(1 << 20);
    Stored file = file("a", "hello");
    ByteBuffer first = files.content(file);
    assertThat(text(first)).isEqualTo("hello");
    Files.delete(file.path());

    ByteBuffer again = files.content(file);
    assertThat(again.isReadOnly()).isTrue();
    assertThat(text(again)).isEqualTo("hello");
    assertThat(text(files.content(file("empty", "")))).isEmpty();
  }

  @Test
  void whatIsKeptIsBoundedAndWhatIsAskedForStays() throws IOException {
    SmallFiles files = new SmallFiles(64 << 10);
    Stored used = file("used", "always");
    files.content(used);
    Files.delete(used.path());

    for (int i = 0; i < 500; i++) {
      files.content(file("f" + i, "x".repeat(2000)));
      assertThat(text(files.content(used))).isEqualTo("always");
      assertThat(files.bytes()).isLessThan(80 << 10);
    }
  }

  @Test
  void oneThatCannotBeReadFailsEachTime() throws IOException {
    SmallFiles files = new SmallFiles(1 << 20);
    Stored gone = new Stored(folder.resolve("gone"), 5);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> files.content(gone)).isInstanceOf(NoSuchFileException.class);
    }
    Path cut = Files.writeString(folder.resolve("cut"), "12");
    assertThatThrownBy(() -> files.content(new Stored(cut, 5))).isInstanceOf(EOFException.class);
  }

  @Test
  void largeOnesAreLeftToTheKernel() {
    assertThat(SmallFiles.isSmall(new Stored(folder, 32 << 10))).isTrue();
    assertThat(SmallFiles.isSmall(new Stored(folder, (32 << 10) + 1))).isFalse();
  }

  private Stored file(String name, String content) throws IOException {
    return new Stored(Files.writeString(folder.resolve(name), content), content.length());
  }

  private static String text(ByteBuffer content) {
    return StandardCharsets.UTF_8.decode(content).toString();
  }
}
