package dev.vramscope.explain.torch;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The memory timelines of {@code torch.profiler} ({@code export_memory_timeline}): {@code [times in
 * µs, sizes by category]}, or as raw events {@code [time in ns, action, change in bytes,
 * category]}. Both have totals by category only.
 */
final class ProfilerTimeline {
  private static final Pattern START =
      Pattern.compile("\\s{0,100}\\[\\s{0,100}\\[\\s{0,100}-?[0-9]");

  private static final List<String> CATEGORIES =
      List.of(
          "parameters",
          "optimizer state",
          "inputs",
          "temporaries",
          "activations",
          "gradients",
          "autograd details",
          "unknown");

  /** When the peak was, after the first moment of the profile. */
  static final FieldName PEAK_TIME = new FieldName("peak-time", "Peak, after the start");

  private static final int RAW_NUMBERS = 4;
  private static final long NANOS_PER_MICRO = 1000;

  /** The time of what was there before the profile. */
  private static final long BEFORE = -1;

  private final JsonParser json;
  private final long[] current = new long[CATEGORIES.size()];
  private long[] atPeak = current.clone();
  private long peak;
  private long peakTime = BEFORE;
  private long records;
  private long first = Long.MAX_VALUE;
  private long last = Long.MIN_VALUE;

  private ProfilerTimeline(JsonParser json) {
    this.json = json;
  }

  /** The timeline, if the text is one, whole and with numbers only. */
  static Optional<LogMessage> read(String text) {
    if (!START.matcher(text).lookingAt()) {
      return Optional.empty();
    }
    try (JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
      ProfilerTimeline timeline = new ProfilerTimeline(json);
      return timeline.readsToTheEnd() && timeline.records > 0
          ? Optional.of(timeline.message())
          : Optional.empty();
    } catch (JacksonException | ArithmeticException notOne) {
      return Optional.empty();
    }
  }

  private boolean readsToTheEnd() {
    json.nextToken(); // START has matched both brackets.
    json.nextToken();
    List<Long> head = numbers();
    JsonToken next = json.nextToken();
    if (next == JsonToken.START_ARRAY && json.nextToken() == JsonToken.START_ARRAY) {
      return isCoalesced(head);
    }
    return isRaw(head, next);
  }

  /** The list of times has been read; that of sizes begins. */
  private boolean isCoalesced(List<Long> times) {
    for (Long time : times) {
      addTime(time);
    }
    JsonToken token = JsonToken.START_ARRAY;
    while (token == JsonToken.START_ARRAY) {
      List<Long> sizes = numbers();
      if (sizes.size() != CATEGORIES.size() + 1 || records >= times.size()) {
        return false;
      }
      for (int i = 0; i < current.length; i++) {
        current[i] = sizes.get(i + 1);
      }
      addState(times.get((int) records));
      token = json.nextToken();
    }
    return token == JsonToken.END_ARRAY && records == times.size();
  }

  /** The first event has been read, and the token after it if that begins no list of lists. */
  private boolean isRaw(List<Long> event, JsonToken after) {
    List<Long> numbers = event;
    // Looking for a list of lists has entered the second event, if there is one.
    JsonToken token = after == JsonToken.START_ARRAY ? json.currentToken() : after;
    while (true) {
      if (numbers.size() != RAW_NUMBERS
          || numbers.get(3) < 0
          || numbers.get(3) >= CATEGORIES.size()) {
        return false;
      }
      int category = numbers.get(3).intValue();
      current[category] = Math.addExact(current[category], numbers.get(2));
      long micros = numbers.get(0) < 0 ? BEFORE : numbers.get(0) / NANOS_PER_MICRO;
      addTime(micros);
      addState(micros);
      if (token == JsonToken.END_ARRAY) {
        return true;
      }
      numbers = token == JsonToken.START_ARRAY ? numbers() : numbersFrom(token);
      token = json.nextToken();
    }
  }

  private void addTime(long micros) {
    if (micros >= 0) { // Before the profile, it is -1.
      first = Math.min(first, micros);
      last = Math.max(last, micros);
    }
  }

  private void addState(long micros) {
    records++;
    long sum = 0;
    for (long bytes : current) {
      sum = Math.addExact(sum, bytes);
    }
    if (sum > peak) {
      peak = sum;
      peakTime = micros;
      atPeak = current.clone();
    }
  }

  /** The numbers up to the end of the list that has begun. */
  private List<Long> numbers() {
    return numbersFrom(json.nextToken());
  }

  private List<Long> numbersFrom(JsonToken from) {
    List<Long> numbers = new ArrayList<>();
    for (JsonToken token = from; token != JsonToken.END_ARRAY; token = json.nextToken()) {
      if (token != JsonToken.VALUE_NUMBER_INT) {
        throw new ArithmeticException("not a whole number");
      }
      numbers.add(json.getLongValue());
    }
    return numbers;
  }

  private LogMessage message() {
    List<Field> fields = new ArrayList<>();
    fields.add(words(FieldName.RECORDS, Long.toString(records)));
    if (last > first) {
      fields.add(words(FieldName.DURATION, millis(last - first)));
    }
    fields.add(bytes(FieldName.IN_USE_PEAK, "", peak));
    if (last > first && peakTime >= first) {
      fields.add(words(PEAK_TIME, millis(peakTime - first)));
    }
    for (int i = 0; i < atPeak.length; i++) {
      if (atPeak[i] != 0) {
        fields.add(bytes(FieldName.AT_PEAK, CATEGORIES.get(i), atPeak[i]));
      }
    }
    fields.add(bytes(FieldName.IN_USE, "", Arrays.stream(current).sum()));
    return new LogMessage(PyTorch.TORCH_TIMELINE, 1, 1, fields);
  }

  private static String millis(long micros) {
    return String.format(Locale.ROOT, "%.3f ms", micros / 1000.0);
  }

  private static Field words(FieldName name, String written) {
    return new Field(name, "", written, Optional.empty());
  }

  private static Field bytes(FieldName name, String of, long bytes) {
    return new Field(
        name, of, Long.toString(bytes), Optional.of(new Quantity(Math.max(0, bytes), 0)));
  }
}
