package dev.vramscope.web.list;

import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.MetadataLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Changes to the name and tags of a snapshot, as a JSON merge patch (RFC 7396) of the snapshot as
 * it is returned: a member that is absent leaves its value unchanged, {@code null} removes it.
 */
final class MetadataPatch {
  private static final Set<String> MEMBERS = Set.of("name", "tags");
  private static final Set<String> TAGS = Set.of("job", "rank", "host", "step", "labels");

  private final Map<String, JsonNode> members;
  private final Map<String, JsonNode> tags;

  MetadataPatch(Map<String, JsonNode> members) {
    requireKnown(members.keySet(), MEMBERS, "", "Only name and tags can be changed.");
    this.members = members;
    JsonNode changed = members.get("tags");
    if (changed == null) {
      tags = Map.of();
    } else if (changed.isNull()) {
      tags = TAGS.stream().collect(Collectors.toMap(Function.identity(), _ -> changed));
    } else if (changed.isObject()) {
      tags =
          changed
              .propertyStream()
              .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    } else {
      throw RefusedRequestException.badMember("tags", "is " + changed, "Send an object or null.");
    }
    requireKnown(tags.keySet(), TAGS, "tags.", "The tags are job, rank, host, step and labels.");
  }

  private static void requireKnown(
      Set<String> members, Set<String> names, String path, String allowed) {
    for (String member : new TreeSet<>(members)) {
      if (!names.contains(member)) {
        throw RefusedRequestException.badMember(path + member, "cannot be changed", allowed);
      }
    }
  }

  /** The new name. */
  String nameOf(StoredSnapshot stored) {
    JsonNode changed = members.get("name");
    if (changed == null) {
      return stored.name(); // Earlier versions accepted other names.
    }
    if (!changed.isString()) {
      throw RefusedRequestException.badMember("name", "is " + changed, "Send a text.");
    }
    String name = text("name", changed, stored.name());
    if (name == null || name.isBlank()) {
      throw RefusedRequestException.badMember("name", "is empty", "Send a name.");
    }
    return MetadataLimits.checked(name);
  }

  /** The new tags. */
  Tags tagsOf(StoredSnapshot stored) {
    Tags current = stored.tags();
    return MetadataLimits.checked(
        new Tags(
            tag("job", current.job()),
            tag("rank", current.rank()),
            tag("host", current.host()),
            step(current.step()),
            labels(current.labels())));
  }

  private @Nullable String tag(String name, @Nullable String current) {
    return text("tags." + name, tags.get(name), current);
  }

  private static @Nullable String text(
      String member, @Nullable JsonNode value, @Nullable String current) {
    if (value == null) {
      return current;
    }
    if (value.isNull()) {
      return null;
    }
    if (!value.isString() && !value.isIntegralNumber()) {
      throw RefusedRequestException.badMember(member, "is " + value, "Send text or null.");
    }
    String text = value.asString().strip();
    return text.isEmpty() ? null : text;
  }

  private @Nullable Long step(@Nullable Long current) {
    JsonNode value = tags.get("step");
    if (value == null) {
      return current;
    }
    if (value.isNull()) {
      return null;
    }
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw RefusedRequestException.badMember(
          "tags.step", "is " + value, "Send a whole number or null.");
    }
    return value.asLong();
  }

  private List<String> labels(List<String> current) {
    JsonNode value = tags.get("labels");
    if (value == null) {
      return current;
    }
    if (value.isNull()) {
      return List.of();
    }
    List<String> labels = new ArrayList<>();
    for (JsonNode label : value) {
      if (!label.isString()) {
        throw notTexts(value);
      }
      labels.add(label.asString().strip());
    }
    if (!value.isArray()) {
      throw notTexts(value);
    }
    return labels.stream().filter(label -> !label.isEmpty()).distinct().toList();
  }

  private static RefusedRequestException notTexts(JsonNode value) {
    return RefusedRequestException.badMember(
        "tags.labels", "is " + value, "Send a list of texts or null.");
  }
}
