package dev.vramscope.format.plot;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.LongColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The lists of a page's data as columns of numbers, each by its path: {@code actions}, {@code
 * events.addr}, {@code elements.size} of a list of objects, {@code suffix_table.1} of a list of
 * pairs.
 */
final class PlotTables {
  /** Instead of a number: null in the file, or no number of 64 bits. */
  static final long NONE = -1;

  private static final String STRINGS = "string_table";

  /** The names of all paths that such pages have; others are skipped. */
  private static final List<String> PATHS =
      List.of(
          "actions",
          "initially_allocated",
          "elements.size",
          "elements.info",
          "elements_size",
          "elements_info",
          "suffix_table.0",
          "suffix_table.1",
          "events.action",
          "events.addr",
          "events.size",
          "events.stream",
          "events.frames",
          "segments.addr",
          "segments.size",
          "segments.stream",
          "blocks.addr",
          "blocks.size",
          "blocks.real_size",
          "blocks.frames",
          "blocks.pending_free");

  private final ReadLimits limits;
  private final Map<String, LongColumn.Builder> builders = new HashMap<>();
  private final Map<String, LongColumn> columns = new HashMap<>();
  private final List<String> strings = new ArrayList<>();
  private long textBytes;
  private long numbers;

  PlotTables(ReadLimits limits) {
    this.limits = limits;
    PATHS.forEach(path -> builders.put(path, new LongColumn.Builder()));
  }

  /** Reads the object, and nothing after it. */
  void read(JsonParser json) throws FormatException {
    json.nextToken();
    readObject(json, "");
    builders.forEach((path, builder) -> columns.put(path, builder.build()));
  }

  private void readObject(JsonParser json, String prefix) throws FormatException {
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String path = prefix + json.currentName();
      JsonToken value = json.nextToken();
      if (value == JsonToken.START_ARRAY) {
        readArray(json, path);
      } else if (value == JsonToken.START_OBJECT && prefix.isEmpty()) {
        readObject(json, path + ".");
      } else {
        json.skipChildren();
      }
    }
  }

  private void readArray(JsonParser json, String path) throws FormatException {
    JsonToken token = json.nextToken();
    for (; token != null && token != JsonToken.END_ARRAY; token = json.nextToken()) {
      switch (token) {
        case START_ARRAY -> readPair(json, path);
        case START_OBJECT -> readMembers(json, path);
        case VALUE_STRING -> addText(json, path);
        default -> add(json, path, token);
      }
    }
  }

  private void readPair(JsonParser json, String path) throws FormatException {
    int index = 0;
    JsonToken token = json.nextToken();
    for (; token != null && token != JsonToken.END_ARRAY; token = json.nextToken()) {
      add(json, path + "." + index++, token);
    }
  }

  private void readMembers(JsonParser json, String path) throws FormatException {
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String member = path + "." + json.currentName();
      add(json, member, json.nextToken());
    }
  }

  private void add(JsonParser json, String path, JsonToken token) throws FormatException {
    LongColumn.Builder column = builders.get(path);
    if (column == null || token.isStructStart()) {
      json.skipChildren();
      return;
    }
    boolean isNumber =
        token == JsonToken.VALUE_NUMBER_INT
            && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
    column.add(isNumber ? json.getLongValue() : NONE);
    if (++numbers > limits.maxEvents()) {
      throw tooMany("numbers", limits.maxEvents());
    }
  }

  private void addText(JsonParser json, String path) throws FormatException {
    if (!path.equals(STRINGS)) {
      return;
    }
    String text = json.getString();
    textBytes += text.length();
    strings.add(text);
    if (strings.size() > limits.maxFrames() || textBytes > limits.encoding().maxTextBytes()) {
      throw tooMany("texts", limits.maxFrames());
    }
  }

  static FormatException tooMany(String what, long most) {
    return new FormatException(
        Reason.TOO_LARGE,
        "the page has more than " + most + " " + what,
        "the data of the page",
        "Start the server with a larger heap (-Xmx).");
  }

  static FormatException malformed(String what, String where) {
    return new FormatException(Reason.MALFORMED, what, where, PlotPageReader.NEXT);
  }

  /** A column; empty if the page has no such list. */
  LongColumn column(String path) {
    return columns.getOrDefault(path, new LongColumn.Builder().build());
  }

  /** Columns of one list, which have to be equally long. */
  void requireSameLength(String... paths) throws FormatException {
    for (String path : paths) {
      if (column(path).size() != column(paths[0]).size()) {
        throw malformed(
            paths[0] + " and " + path + " have different lengths", "the data of the page");
      }
    }
  }

  int textCount() {
    return strings.size();
  }

  String text(int index) {
    return strings.get(index);
  }
}
