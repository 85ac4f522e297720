package dev.vramscope.explain.torch;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Counters of {@code memory_stats()} anywhere in a JSON document, or in one object per line: below
 * other keys, with a prefix, as text, or nested as {@code memory_stats_as_nested_dict()} has them.
 *
 * <p>The counters that stand in one object, and in the objects below it that are parts of a
 * counter's name, are those of one device.
 */
final class StatsDocument {
  /** What a set of counters is of, if it is neither a device nor a rank. */
  static final FieldName KEY = new FieldName("key", "Key in the file");

  static final FieldName RANK = new FieldName("rank", "Rank");

  /** More sets than the GPUs of a large job are a history, of which the last is told. */
  private static final int MOST = 64;

  private static final int MAX_DEPTH = 12;

  private static final Pattern COUNTER =
      Pattern.compile(
          "(?:.{0,200}[^a-z_])?((?:allocated|active|requested|reserved|inactive_split)_bytes)"
              + "\\.all\\.(current|peak)");
  private static final Pattern COUNT =
      Pattern.compile("(?:.{0,200}[^a-z_])?(num_ooms|num_alloc_retries)");
  private static final Pattern PART_OF_NAME =
      Pattern.compile(
          "(?:.{0,200}[^a-z_])?(?:allocated|active|requested|reserved|inactive_split)_bytes(?:\\.all)?"
              + "|all");
  private static final Pattern GENERIC =
      Pattern.compile("(?:cuda|gpu|torch)?_?(?:memory|mem)?_?(?:stats|memory|counters)?|data");
  private static final Pattern RANKED =
      Pattern.compile("(?:(?:local|global)?_?rank)[ _:-]?([0-9]{1,6})");
  private static final Pattern DEVICE = Pattern.compile("(?:cuda|gpu|device)[ _:-]?([0-9]{1,3})");
  private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}(?:\\.0{1,6})?");

  private static final Map<String, FieldName> NAMES =
      Map.ofEntries(
          Map.entry("allocated_bytes current", FieldName.ALLOCATED),
          Map.entry("allocated_bytes peak", FieldName.ALLOCATED_PEAK),
          Map.entry("active_bytes current", FieldName.ACTIVE),
          Map.entry("active_bytes peak", FieldName.ACTIVE_PEAK),
          Map.entry("requested_bytes current", FieldName.CLIENT_REQUESTED),
          Map.entry("requested_bytes peak", FieldName.CLIENT_REQUESTED_PEAK),
          Map.entry("reserved_bytes current", FieldName.RESERVED),
          Map.entry("reserved_bytes peak", FieldName.RESERVED_PEAK),
          Map.entry("inactive_split_bytes current", FieldName.NON_RELEASABLE),
          Map.entry("inactive_split_bytes peak", FieldName.NON_RELEASABLE_PEAK));

  /** The counters of one device, and what the document says of it. */
  private static final class Counters {
    private final Map<FieldName, Field> fields = new LinkedHashMap<>();
    private final List<String> path;
    private String rank = "";
    private String device = "";

    Counters(List<String> path) {
      this.path = List.copyOf(path);
    }
  }

  private final List<Counters> all = new ArrayList<>();
  private final List<String> path = new ArrayList<>();
  private boolean isPlain = true;
  private long leftOut;

  private StatsDocument() {}

  /** The counters; empty if the text is no such document, or nothing but one plain set of them. */
  static List<LogMessage> read(String text) {
    String start = text.substring(0, Math.min(text.length(), 400)).stripLeading();
    boolean mayBe =
        (start.startsWith("{") || start.startsWith("["))
            && (text.contains("_bytes") || text.contains("num_ooms"));
    if (!mayBe) {
      return List.of();
    }
    StatsDocument document = new StatsDocument();
    try (JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
      int values = 0;
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        document.isPlain &= values++ == 0;
        document.value(json, token);
      }
    } catch (JacksonException notJson) {
      return List.of();
    }
    return document.messages();
  }

  private void value(JsonParser json, JsonToken token) {
    if (token == JsonToken.START_OBJECT) {
      object(json, new Counters(path), "", /* isWhole= */ true);
    } else if (token == JsonToken.START_ARRAY) {
      isPlain = false;
      int index = 0;
      for (JsonToken each = json.nextToken();
          each != JsonToken.END_ARRAY && each != null;
          each = json.nextToken()) {
        path.add("[" + index++ + "]");
        value(json, each);
        path.removeLast();
      }
    }
  }

  /**
   * Reads an object.
   *
   * @param name the part of a counter's name that the keys above are
   * @param isWhole whether the counters end with this object
   */
  private void object(JsonParser json, Counters counters, String name, boolean isWhole) {
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String key = json.currentName();
      String full = name.isEmpty() ? key : name + "." + key;
      JsonToken token = json.nextToken();
      if (path.size() > MAX_DEPTH) {
        json.skipChildren();
      } else if (token == JsonToken.START_OBJECT && PART_OF_NAME.matcher(full).matches()) {
        isPlain = false;
        object(json, counters, full, /* isWhole= */ false);
      } else if (token == JsonToken.START_OBJECT && name.endsWith("_bytes") && key.equals("all")) {
        object(json, counters, full, /* isWhole= */ false);
      } else if (token.isStructStart()) {
        isPlain = false;
        path.add(key);
        value(json, token);
        path.removeLast();
      } else {
        scalar(json, counters, full, token);
      }
    }
    if (isWhole && !counters.fields.isEmpty()) {
      if (all.size() >= MOST) {
        all.removeFirst();
        leftOut++;
      }
      all.add(counters);
    }
  }

  private void scalar(JsonParser json, Counters counters, String key, JsonToken token) {
    if (!token.isNumeric() && token != JsonToken.VALUE_STRING) {
      return;
    }
    String written = json.getString().strip();
    String lower = key.toLowerCase(Locale.ROOT);
    if (lower.matches("(?:local_|global_)?rank") && written.matches("[0-9]{1,6}")) {
      counters.rank = written;
    } else if (lower.matches("device|device_id|gpu|gpu_id") && written.length() <= 20) {
      counters.device = written;
    }
    if (!WHOLE.matcher(written).matches()) {
      return; // Not bytes: another unit, which the key does not name.
    }
    String digits = written.replaceFirst("\\..*", "");
    Matcher count = COUNT.matcher(key);
    Matcher counter = COUNTER.matcher(key);
    if (count.matches()) {
      isPlain &= count.group(1).equals(key) && token != JsonToken.VALUE_STRING;
      FieldName field = count.group(1).equals("num_ooms") ? FieldName.FAILURES : FieldName.RETRIES;
      counters.fields.put(field, new Field(field, "", digits, Optional.empty()));
    } else if (counter.matches()) {
      isPlain &= key.startsWith(counter.group(1)) && token != JsonToken.VALUE_STRING;
      FieldName field = NAMES.get(counter.group(1) + " " + counter.group(2));
      if (field != null && digits.charAt(0) != '-') {
        counters.fields.put(
            field,
            new Field(field, "", digits, Optional.of(new Quantity(Long.parseLong(digits), 0))));
      }
    }
  }

  private List<LogMessage> messages() {
    boolean isOne = isPlain && all.size() <= 1;
    boolean hasBytes =
        all.stream()
            .flatMap(each -> each.fields.values().stream())
            .anyMatch(field -> field.quantity().isPresent());
    if (isOne || !hasBytes) {
      return List.of();
    }
    return all.stream().map(this::message).toList();
  }

  private LogMessage message(Counters counters) {
    List<Field> fields = new ArrayList<>();
    String rank = counters.rank;
    String device = counters.device.replaceFirst("^(?:cuda|gpu):", "");
    List<String> rest = new ArrayList<>();
    for (String key : counters.path) {
      String lower = key.toLowerCase(Locale.ROOT);
      Matcher ranked = RANKED.matcher(lower);
      Matcher named = DEVICE.matcher(lower);
      if (rank.isEmpty() && ranked.matches()) {
        rank = ranked.group(1);
      } else if (device.isEmpty() && named.matches()) {
        device = named.group(1);
      } else if (!GENERIC.matcher(lower).matches()) {
        rest.add(key.length() <= 60 ? key : key.substring(0, 60) + "…");
      }
    }
    add(fields, FieldName.DEVICE, device);
    add(fields, RANK, rank);
    add(fields, KEY, String.join(".", rest).replace(".[", "["));
    fields.addAll(counters.fields.values());
    add(fields, FieldName.LEFT_OUT, leftOut == 0 ? "" : Long.toString(leftOut));
    return new LogMessage(MemoryStatsFile.STATS_FILE, 1, 1, fields);
  }

  private static void add(List<Field> fields, FieldName name, String written) {
    if (!written.isEmpty()) {
      fields.add(new Field(name, "", written, Optional.empty()));
    }
  }
}
