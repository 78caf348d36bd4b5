package dev.slipway.coding;

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
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A way to compress what is sent. The first is the one that we like best for an answer that is made
 * anew each time.
 */
public enum Coding {
  ZSTD("zstd") {
    @Override
    public OutputStream encoder(OutputStream out, Effort effort) throws IOException {
      return new ZstdOutputStream(out, effort.zstdLevel);
    }
  },
  BROTLI("br") {
    @Override
    public OutputStream encoder(OutputStream out, Effort effort) throws IOException {
      Brotli4jLoader.ensureAvailability();
      return new BrotliOutputStream(out, new Encoder.Parameters().setQuality(effort.brotliQuality));
    }
  },
  GZIP("gzip") {
    @Override
    public OutputStream encoder(OutputStream out, Effort effort) throws IOException {
      return new GZIPOutputStream(out, BUFFER_BYTES, true) {
        {
          def.setLevel(effort.gzipLevel);
        }
      };
    }
  };

  private static final Logger log = LoggerFactory.getLogger(Coding.class);

  private static final int BUFFER_BYTES = 8 << 10;

  private final String wireName;

  /** How much time compressing may take. */
  public enum Effort {
    /** For an answer that somebody waits for. */
    QUICK(3, 4, Deflater.DEFAULT_COMPRESSION),

    /** For what is compressed once and sent often. Beyond these a percent costs seconds. */
    THOROUGH(12, 9, Deflater.BEST_COMPRESSION);

    private final int zstdLevel;
    private final int brotliQuality;
    private final int gzipLevel;

    Effort(int zstdLevel, int brotliQuality, int gzipLevel) {
      this.zstdLevel = zstdLevel;
      this.brotliQuality = brotliQuality;
      this.gzipLevel = gzipLevel;
    }
  }

  Coding(String wireName) {
    this.wireName = wireName;
  }

  /** What is flushed can be decoded by whoever has read so far. */
  public abstract OutputStream encoder(OutputStream out, Effort effort) throws IOException;

  /** As {@code Content-Encoding} has it. */
  public String wireName() {
    return wireName;
  }

  /** Those that this host has the libraries for, in the order in which we like them. */
  public static List<Coding> usable() {
    return Usable.ALL;
  }

  /**
   * The one that the client likes best; absent where it likes none, or none better than as it is.
   *
   * @param header the lines of {@code Accept-Encoding}; RFC 9110, 12.5.3
   */
  public static Optional<Coding> accepted(List<String> header) {
    return accepted(header, usable());
  }

  /**
   * {@link #accepted(List)}, of those that there are.
   *
   * @param offered the first of those that the client likes equally is taken
   */
  public static Optional<Coding> accepted(List<String> header, List<Coding> offered) {
    Map<String, Double> weights = weights(String.join(",", header));
    double asItIs = weights.getOrDefault("identity", 0.0);
    Optional<Coding> best = Optional.empty();
    double most = 0;
    for (Coding coding : offered) {
      double weight = weights.getOrDefault(coding.wireName, weights.getOrDefault("*", 0.0));
      if (weight > most && weight >= asItIs) {
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
    try (OutputStream trial = encoder(new ByteArrayOutputStream(), Effort.QUICK)) {
      trial.write(0);
      return true;
    } catch (IOException | RuntimeException | LinkageError e) {
      log.warn("answers are not compressed with {} on this host: {}", wireName, e.toString());
      return false;
    }
  }

  /** Two of them are native libraries, loaded when the first client asks for compression. */
  private static final class Usable {
    private static final List<Coding> ALL = Arrays.stream(values()).filter(Coding::works).toList();
  }
}
