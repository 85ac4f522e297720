package dev.vramscope.format.torch;

import dev.vramscope.format.pickle.PickleWriter.Tuple;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes Java values as JSON like {@code json.dump}: tuples are arrays, NaN is a literal. */
final class JsonText {
  private JsonText() {}

  static String of(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> quote(text);
      case Tuple tuple -> of(tuple.items());
      case List<?> list ->
          list.stream().map(JsonText::of).collect(Collectors.joining(", ", "[", "]"));
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry -> quote((String) entry.getKey()) + ": " + of(entry.getValue()))
              .collect(Collectors.joining(", ", "{", "}"));
      default -> value.toString();
    };
  }

  // Python's default: characters other than ASCII are escaped.
  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
