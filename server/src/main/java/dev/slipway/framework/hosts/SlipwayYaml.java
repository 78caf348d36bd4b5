package dev.slipway.framework.hosts;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Nearest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Set;

/** Our own: flat, with the API's names. Read strictly, as it was written for this service. */
final class SlipwayYaml implements HostFile {
  private static final String FILE = "slipway.yaml";
  private static final YAMLFactory YAML =
      YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  @Override
  public void read(Folder folder, Set<String> variables, Notes notes) {
    folder
        .find(FILE)
        .flatMap(folder.checkout()::text)
        .ifPresent(text -> {
          try (JsonParser parser = YAML.createParser(text)) {
            read(parser, notes);
          } catch (JsonProcessingException e) {
            throw failure(e.getLocation(), "this is not valid YAML: " + reason(e));
          } catch (IOException e) {
            throw new UncheckedIOException("reading " + FILE + " failed", e);
          }
        });
  }

  private static void read(JsonParser parser, Notes notes) throws IOException {
    JsonToken first = parser.nextToken();
    if (first == null || first == JsonToken.VALUE_NULL) {
      return;
    }
    if (first != JsonToken.START_OBJECT) {
      throw failure(parser.currentTokenLocation(), "it must hold keys and values.");
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      JsonLocation place = parser.currentTokenLocation();
      Setting setting = setting(parser.currentName(), place);
      JsonToken value = parser.nextToken();
      if (value == JsonToken.VALUE_NULL) {
        continue;
      }
      if (!value.isScalarValue()) {
        throw failure(place, "%s must be a text.".formatted(setting.key()));
      }
      take(setting, parser.getText().strip(), place, notes);
    }
    if (parser.nextToken() != null) {
      throw failure(parser.currentTokenLocation(), "only one document may stand in it.");
    }
  }

  private static void take(Setting setting, String value, JsonLocation place, Notes notes) {
    String plain =
        setting == Setting.ROOT_DIRECTORY || setting == Setting.OUTPUT_DIRECTORY
            ? Directories.plain(value)
            : value;
    Optional<String> fault = setting.fault(plain);
    if (fault.isPresent()) {
      throw failure(place, "%s is \"%s\". %s".formatted(setting.key(), value, fault.get()));
    }
    notes.take(FILE, setting, plain);
  }

  private static Setting setting(String key, JsonLocation place) {
    for (Setting setting : Setting.values()) {
      if (setting.key().equals(key)) {
        return setting;
      }
    }
    throw failure(
        place,
        "%s is not known%s. Known are %s."
            .formatted(
                key,
                Nearest.to(key, Setting.keys()).map("; did you mean %s?"::formatted).orElse(""),
                String.join(", ", Setting.keys()))
            .replace("?.", "?"));
  }

  private static String reason(JsonProcessingException e) {
    String message = e.getOriginalMessage();
    return message == null ? "" : message.lines().findFirst().orElse("").strip();
  }

  private static AppFailure failure(JsonLocation place, String sentence) {
    return new AppFailure(
        FailureCode.FRAMEWORK_NOT_DETECTED,
        "%s, line %d, column %d: %s"
            .formatted(FILE, place.getLineNr(), place.getColumnNr(), sentence));
  }
}
