package dev.slipway.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HashShapeTest {
  private static final String BASE64_URL =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  private static final int MANY = 20_000;

  private final Random random = new Random(4711); // the same at each run

  @Test
  void nineteenOfTwentyHashesOfABundlerAreRecognisedWhereTheyAreExpected() {
    List<HashShape> hashes =
        IntStream.range(0, MANY).mapToObj(_ -> new HashShape(randomName())).toList();

    assertThat(hashes.stream().filter(HashShape::isLikely).count()).isGreaterThan(MANY / 100 * 93);
    assertThat(hashes.stream().filter(HashShape::isCertain).count()).isGreaterThan(MANY / 100 * 75);
  }

  private String randomName() {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      name.append(BASE64_URL.charAt(random.nextInt(BASE64_URL.length())));
    }
    return name.toString();
  }
}
