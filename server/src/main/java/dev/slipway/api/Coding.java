package dev.slipway.api;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.BrotliOutputStream;
import com.aayushatharva.brotli4j.encoder.Encoder;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A way to compress an answer; the first is the one that we like best. */
enum Coding {
  ZSTD("zstd") {
    @Override
    OutputStream encoder(OutputStream out) throws IOException {
      return new ZstdOutputStream(out);
    }
  },
  BROTLI("br") {
    @Override
    OutputStream encoder(OutputStream out) throws IOException {
      Brotli4jLoader.ensureAvailability();
      return new BrotliOutputStream(out, new Encoder.Parameters().setQuality(BROTLI_QUALITY));
    }
  },
  GZIP("gzip") {
    @Override
    OutputStream encoder(OutputStream out) throws IOException {
      return new GZIPOutputStream(out, BUFFER_BYTES, true);
    }
  };

  private static final Logger log = LoggerFactory.getLogger(Coding.class);

  /** For answers that are made anew each time; the default, 11, is for files. */
  private static final int BROTLI_QUALITY = 4;

  private static final int BUFFER_BYTES = 8 << 10;

  private final String wireName;

  Coding(String wireName) {
    this.wireName = wireName;
  }

  /** What is flushed can be decoded by whoever has read so far. */
  abstract OutputStream encoder(OutputStream out) throws IOException;

  String wireName() {
    return wireName;
  }

  /**
   * The one that the client likes best; absent where it likes none, or none better than as it is.
   *
   * @param header the lines of {@code Accept-Encoding}; RFC 9110, 12.5.3
   */
  static Optional<Coding> accepted(List<String> header) {
    Map<String, Double> weights = weights(String.join(",", header));
    double asItIs = weights.getOrDefault("identity", 0.0);
    Optional<Coding> best = Optional.empty();
    double most = 0;
    for (Coding coding : values()) {
      double weight = weights.getOrDefault(coding.wireName, weights.getOrDefault("*", 0.0));
      if (weight > most && weight >= asItIs && Usable.ALL.contains(coding)) {
        best = Optional.of(coding);
        most = weight;
      }
    }
    return best;
  }

  private static Map<String, Double> weights(String header) {
    Map<String, Double> weights = new HashMap<>();
    for (String element : header.toLowerCase(Locale.ROOT).split(",", -1)) {
      String[] parts = element.split(";", 2);
      weights.putIfAbsent(parts[0].strip(), parts.length == 1 ? 1 : weight(parts[1].strip()));
    }
    return weights;
  }

  private static double weight(String parameter) {
    return parameter.matches("q\\s*=\\s*[01](\\.\\d{0,3})?")
        ? Double.parseDouble(parameter.substring(parameter.indexOf('=') + 1).strip())
        : 0;
  }

  private boolean works() {
    try (OutputStream trial = encoder(new ByteArrayOutputStream())) {
      trial.write(0);
      return true;
    } catch (IOException | RuntimeException | LinkageError e) {
      log.warn("answers are not compressed with {} on this host: {}", wireName, e.toString());
      return false;
    }
  }

  /** Two of them are native libraries, loaded when the first client asks for compression. */
  private static final class Usable {
    private static final Set<Coding> ALL =
        Arrays.stream(values()).filter(Coding::works).collect(Collectors.toUnmodifiableSet());
  }
}
