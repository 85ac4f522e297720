package dev.vramscope.cli;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Counters written by {@code json.dump(torch.cuda.memory_stats(), f)}: one flat object of whole
 * numbers. The nested form of {@code memory_stats_as_nested_dict()} is also accepted; its names are
 * joined by dots.
 */
final class StatsFile {
  private static final int UNSIGNED_BITS = 64;

  private final Path file;
  private final Map<String, Long> counters = new LinkedHashMap<>();

  private StatsFile(Path file) {
    this.file = file;
  }

  /**
   * Reads the counters by flat key.
   *
   * @throws IOException if the file cannot be read or contains anything else
   */
  static Map<String, Long> read(Path file) throws IOException {
    StatsFile stats = new StatsFile(file);
    try (JsonParser parser =
        new JsonFactory().createParser(ObjectReadContext.empty(), Files.readAllBytes(file))) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw stats.invalid("it is not a JSON object");
      }
      stats.readObject(parser, "");
      if (parser.nextToken() != null) {
        throw stats.invalid("there is more after the JSON object");
      }
    } catch (JacksonException malformed) {
      throw stats.invalid(
          "it is not JSON (line "
              + malformed.getLocation().getLineNr()
              + ", column "
              + malformed.getLocation().getColumnNr()
              + ": "
              + malformed.getOriginalMessage()
              + ")");
    }
    return stats.counters;
  }

  private void readObject(JsonParser parser, String prefix) throws IOException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = prefix + parser.currentName();
      JsonToken value = parser.nextToken();
      if (value == JsonToken.START_OBJECT) {
        readObject(parser, key + ".");
      } else if (value == JsonToken.VALUE_NUMBER_INT) {
        counters.put(key, number(key, parser.getBigIntegerValue()));
      } else {
        throw invalid(key + " is not a whole number");
      }
    }
  }

  private long number(String key, BigInteger value) throws IOException {
    if (value.bitLength() > UNSIGNED_BITS) {
      throw invalid(key + " does not fit into 64 bits");
    }
    return value.longValue();
  }

  private IOException invalid(String reason) {
    return new IOException(
        file
            + " does not contain the output of torch.cuda.memory_stats(): "
            + reason
            + ". Write one with json.dump(torch.cuda.memory_stats(), open(\"stats.json\","
            + " \"w\")). What a snapshot or a log says is printed by: "
            + RejectedFile.report(file));
  }
}
