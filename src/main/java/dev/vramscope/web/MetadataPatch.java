package dev.vramscope.web;

import dev.vramscope.store.StoredSnapshot;
import dev.vramscope.store.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Changes to the name and tags of a snapshot, as a JSON merge patch (RFC 7396): a member that is
 * absent leaves its value unchanged, {@code null} removes it.
 */
record MetadataPatch(Map<String, JsonNode> members) {
  private static final Set<String> KNOWN = Set.of("name", "job", "rank", "host", "step", "labels");

  MetadataPatch {
    for (String member : members.keySet()) {
      if (!KNOWN.contains(member)) {
        throw RefusedRequestException.badParameter(
            "member", member, "name, job, rank, host, step or labels");
      }
    }
  }

  /** The new name. */
  String nameOf(StoredSnapshot stored) {
    String name = text("name", stored.name());
    if (name == null || name.isBlank()) {
      throw RefusedRequestException.badParameter("name", "empty", "a name");
    }
    return MetadataLimits.checked(name);
  }

  /** The new tags. */
  Tags tagsOf(StoredSnapshot stored) {
    Tags tags = stored.tags();
    return MetadataLimits.checked(
        new Tags(
            text("job", tags.job()),
            text("rank", tags.rank()),
            text("host", tags.host()),
            step(tags.step()),
            labels(tags.labels())));
  }

  private @Nullable String text(String member, @Nullable String current) {
    JsonNode value = members.get(member);
    if (value == null) {
      return current;
    }
    if (value.isNull()) {
      return null;
    }
    if (!value.isString() && !value.isIntegralNumber()) {
      throw RefusedRequestException.badParameter(member, value, "text or null");
    }
    String text = value.asString().strip();
    return text.isEmpty() ? null : text;
  }

  private @Nullable Long step(@Nullable Long current) {
    JsonNode value = members.get("step");
    if (value == null) {
      return current;
    }
    if (value.isNull()) {
      return null;
    }
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw RefusedRequestException.badParameter("step", value, "a whole number or null");
    }
    return value.asLong();
  }

  private List<String> labels(List<String> current) {
    JsonNode value = members.get("labels");
    if (value == null) {
      return current;
    }
    if (value.isNull()) {
      return List.of();
    }
    List<String> labels = new ArrayList<>();
    for (JsonNode label : value) {
      if (!label.isString()) {
        throw RefusedRequestException.badParameter("labels", value, "a list of texts");
      }
      labels.add(label.asString().strip());
    }
    if (!value.isArray()) {
      throw RefusedRequestException.badParameter("labels", value, "a list of texts");
    }
    return labels.stream().filter(label -> !label.isEmpty()).distinct().toList();
  }
}
