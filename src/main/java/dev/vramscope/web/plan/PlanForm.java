package dev.vramscope.web.plan;

import dev.vramscope.plan.ParameterValues;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.SizeParameter;
import dev.vramscope.whatif.replays.WhatIfSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * The parameters of the page that plans, which its URL contains.
 *
 * @param ids of the snapshots
 * @param name of the program's parameter; several are separated by commas
 * @param values of each snapshot, as entered; several are separated by commas
 * @param device memory of devices, as entered, separated by commas
 * @param others of each, used outside the allocator, as entered
 * @param at a value that is asked, or {@code batch=12,length=1024}
 * @param find the parameter to search, if there are several
 * @param settings lines of settings
 */
record PlanForm(
    List<String> ids,
    String name,
    List<String> values,
    String device,
    String others,
    String at,
    String find,
    String settings) {
  private static final int MOST_SNAPSHOTS = 16;

  PlanForm {
    ids = List.copyOf(ids);
    values = List.copyOf(values);
  }

  static PlanForm of(MultiValueMap<String, String> parameters) {
    List<String> ids =
        parameters.getOrDefault("id", List.of()).stream().filter(id -> !id.isBlank()).toList();
    ids.stream()
        .filter(id -> Collections.frequency(ids, id) > 1)
        .findFirst()
        .ifPresent(
            id -> {
              throw RefusedRequestException.badParameter(
                  "id", id + " more than once", "each snapshot once, with its own value");
            });
    if (ids.size() > MOST_SNAPSHOTS) {
      throw RefusedRequestException.badParameter(
          "id", ids.size() + " snapshots", "2 to " + MOST_SNAPSHOTS);
    }
    return new PlanForm(
        ids,
        text(parameters, "name"),
        parameters.getOrDefault("value", List.of()).stream().map(String::strip).toList(),
        text(parameters, "device"),
        text(parameters, "others"),
        text(parameters, "at"),
        text(parameters, "find"),
        text(parameters, "settings"));
  }

  private static String text(MultiValueMap<String, String> parameters, String name) {
    String value = parameters.getFirst(name);
    return value == null ? "" : value.strip();
  }

  /** Whether there is something to plan, rather than a form to fill in. */
  boolean isComplete() {
    return ids.size() >= 2
        && !name.isEmpty()
        && values.size() == ids.size()
        && values.stream().noneMatch(String::isEmpty);
  }

  /** The same with names and values that the names of the files suggest, where none is given. */
  PlanForm withGuesses(List<StoredSnapshot> snapshots) {
    if (!name.isEmpty() || snapshots.size() < 2) {
      return this;
    }
    ParametersInNames guessed =
        ParametersInNames.of(snapshots.stream().map(StoredSnapshot::name).toList());
    return new PlanForm(ids, guessed.name(), guessed.values(), device, others, at, find, settings);
  }

  /** The value of a snapshot as entered. */
  public String value(int snapshot) {
    return snapshot < values.size() ? values.get(snapshot) : "";
  }

  /** The names, if there are several. */
  public List<String> names() {
    return Arrays.stream(name.split(",")).map(String::strip).filter(one -> !one.isEmpty()).toList();
  }

  /**
   * The same as a request of the REST API.
   *
   * @throws RefusedRequestException naming the field that is not valid
   */
  PlanRequest request() {
    List<PlanRequest.@Nullable Run> runs = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      runs.add(new PlanRequest.Run(ids.get(i), null, valuesOf(values.get(i))));
    }
    List<@Nullable Long> sizes = new ArrayList<>();
    for (String size : device.split(",")) {
      OptionalLong bytes = SizeParameter.of("device", size);
      if (bytes.isPresent()) {
        sizes.add(bytes.getAsLong());
      }
    }
    List<@Nullable String> lines = new ArrayList<>();
    settings
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .map(WhatIfSettings::withoutVariable)
        .forEach(lines::add);
    return new PlanRequest(
        runs,
        find.isEmpty() ? null : find,
        askedValues(),
        sizes,
        SizeParameter.of("others", others).orElse(0),
        lines);
  }

  private Map<String, @Nullable Long> valuesOf(String entered) {
    List<String> parts = Arrays.stream(entered.split(",")).map(String::strip).toList();
    List<String> names = names();
    if (parts.size() != names.size()) {
      throw RefusedRequestException.badParameter(
          "value",
          "'" + entered + "'",
          names.size() == 1
              ? "a whole number, such as 2"
              : names.size() + " whole numbers, one for each of " + String.join(", ", names));
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      text.append(i == 0 ? "" : ",").append(names.get(i)).append('=').append(parts.get(i));
    }
    return parsed("value", text.toString());
  }

  private Map<String, @Nullable Long> askedValues() {
    if (at.isEmpty()) {
      return Map.of();
    }
    List<String> names = names();
    String text = at.contains("=") ? at : (names.isEmpty() ? "" : names.getFirst()) + "=" + at;
    return parsed("at", text);
  }

  private static Map<String, @Nullable Long> parsed(String field, String text) {
    try {
      return new LinkedHashMap<>(ParameterValues.parse(text).byName());
    } catch (IllegalArgumentException wrong) {
      throw RefusedRequestException.badParameter(
          field,
          "not valid: " + wrong.getMessage(),
          "names with whole numbers from 1 to " + ParameterValues.MOST + ", such as batch=12");
    }
  }
}
