package dev.vramscope.web.request;

import dev.vramscope.intake.DuplicateTags;
import dev.vramscope.store.listing.Tags;
import dev.vramscope.web.problem.RefusedRequestException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Name and tags of a snapshot as a client gives them, and of an upload what to do with those of a
 * file that is stored already.
 *
 * <p>Parsed from the query string: {@code request.getParameter} would consume a body of type {@code
 * application/x-www-form-urlencoded} as a form, which is the type that {@code curl --data-binary}
 * sends.
 */
public record MetadataParameters(Map<String, List<String>> values) {
  public static MetadataParameters ofQuery(@Nullable String query) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    if (query != null) {
      for (String pair : query.split("&", -1)) {
        int equals = pair.indexOf('=');
        if (equals > 0) {
          values
              .computeIfAbsent(decoded(pair.substring(0, equals)), _ -> new ArrayList<>())
              .add(decoded(pair.substring(equals + 1)));
        }
      }
    }
    return new MetadataParameters(values);
  }

  /** These values, overridden by {@code others} where both have a name. */
  public MetadataParameters with(Map<String, List<String>> others) {
    Map<String, List<String>> both = new LinkedHashMap<>(values);
    others.forEach(
        (name, texts) -> {
          if (texts.stream().anyMatch(value -> !value.isBlank())) {
            both.put(name, texts);
          }
        });
    return new MetadataParameters(both);
  }

  /** The name, or null. */
  public @Nullable String name() {
    String name = first("name");
    return name == null ? null : MetadataLimits.checked(name);
  }

  public Tags tags() {
    List<String> labels = new ArrayList<>();
    for (String parameter : List.of("label", "labels", "tag", "tags")) {
      for (String listed : values.getOrDefault(parameter, List.of())) {
        Arrays.stream(listed.split(",", -1))
            .map(String::strip)
            .filter(label -> !label.isEmpty() && !labels.contains(label))
            .forEach(labels::add);
      }
    }
    return MetadataLimits.checked(
        new Tags(first("job"), first("rank"), first("host"), step(), labels));
  }

  /** What happens to the tags of a file that is stored already. */
  public DuplicateTags duplicate() {
    String text = Objects.requireNonNullElse(first("duplicate"), "keep");
    return switch (text) {
      case "keep" -> DuplicateTags.KEEP;
      case "add" -> DuplicateTags.ADD;
      default -> throw RefusedRequestException.badParameter("duplicate", text, "keep or add");
    };
  }

  private @Nullable Long step() {
    String text = first("step");
    if (text == null) {
      return null;
    }
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException notANumber) {
      throw RefusedRequestException.badParameter(
          "step", text, "a whole number of at most 18 digits");
    }
  }

  private @Nullable String first(String parameter) {
    return values.getOrDefault(parameter, List.of()).stream()
        .map(String::strip)
        .filter(value -> !value.isEmpty())
        .findFirst()
        .orElse(null);
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException badEscape) {
      throw RefusedRequestException.badParameter("the query", text, "percent-encoded UTF-8");
    }
  }
}
