package dev.vramscope.web.plan;

import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.ByteSize;
import dev.vramscope.plan.ParameterValues;
import dev.vramscope.plan.Plan;
import dev.vramscope.plan.PlanQuestion;
import dev.vramscope.plan.PlanRefusedException;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.Variant;
import dev.vramscope.whatif.replays.WhatIfSettings;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What to plan, as a client asks for it.
 *
 * @param runs recordings of one program, each at other values
 * @param find the parameter whose largest value is searched; may be left out if one differs
 * @param at values that are asked
 * @param totalBytes memory of devices
 * @param othersBytes of each, used outside the allocator
 * @param settings each a whole string of settings; the recorded ones if none is given
 */
record PlanRequest(
    @Nullable List<@Nullable Run> runs,
    @Schema(example = "batch") @Nullable String find,
    @Schema(example = "{\"batch\": 12}") @Nullable Map<String, @Nullable Long> at,
    @Schema(example = "[25769803776]") @Nullable List<@Nullable Long> totalBytes,
    @Schema(example = "0") @Nullable Long othersBytes,
    @Schema(example = "[\"recorded\", \"expandable_segments:True\"]")
        @Nullable List<@Nullable String> settings) {
  private static final int MOST_RUNS = 16;
  private static final int MOST_DEVICES = 8;
  private static final int MOST_SETTINGS = 16;
  private static final long MAX_BYTES = ByteSize.MAX_BYTES;

  /**
   * One recording.
   *
   * @param snapshot its id
   * @param device the ordinal; if not given, that of the device with the most events
   * @param values of the program's parameters
   */
  @Schema(name = "PlanRequestRun")
  record Run(
      @Schema(example = "4f2c9a1be0d7") @Nullable String snapshot,
      @Schema(example = "0") @Nullable Integer device,
      @Schema(example = "{\"batch\": 2}") @Nullable Map<String, @Nullable Long> values) {}

  /** A run with all that is needed. */
  record CheckedRun(String snapshot, @Nullable Integer device, ParameterValues values) {}

  /**
   * The runs.
   *
   * @throws RefusedRequestException naming the member that is not valid
   */
  List<CheckedRun> checkedRuns() {
    if (runs == null || runs.size() < 2 || runs.size() > MOST_RUNS) {
      throw RefusedRequestException.badMember(
          "runs",
          runs == null ? "is missing" : "has " + runs.size() + " entries",
          "Send 2 to " + MOST_RUNS + " recordings of one program with their values.");
    }
    List<CheckedRun> checked = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      Run run = runs.get(i);
      if (run == null || run.snapshot() == null || run.values() == null) {
        throw RefusedRequestException.badMember(
            "runs[" + i + "]",
            "has no snapshot or no values",
            "Send an object such as {\"snapshot\": \"ID\", \"values\": {\"batch\": 2}}.");
      }
      checked.add(
          new CheckedRun(
              run.snapshot(), run.device(), values("runs[" + i + "].values", run.values())));
    }
    return checked;
  }

  private static ParameterValues values(String member, Map<String, @Nullable Long> members) {
    Map<String, Long> values = new LinkedHashMap<>();
    for (Map.Entry<String, @Nullable Long> each : members.entrySet()) {
      Long value = each.getValue();
      if (value == null) {
        throw RefusedRequestException.badMember(
            member + "." + each.getKey(), "is null", "Send a whole number from 1 on.");
      }
      values.put(each.getKey(), value);
    }
    try {
      return new ParameterValues(values);
    } catch (IllegalArgumentException wrong) {
      throw RefusedRequestException.badMember(
          member,
          "is not valid: " + wrong.getMessage(),
          "Send names with whole numbers from 1 on, such as {\"batch\": 2}.");
    }
  }

  /**
   * The question.
   *
   * @throws RefusedRequestException naming the member that is not valid
   * @throws PlanRefusedException if a value is missing or cannot be planned
   */
  PlanQuestion question(Plan plan) throws PlanRefusedException {
    Map<String, Long> askedValues =
        at == null || at.isEmpty() ? Map.of() : values("at", at).byName();
    String searched = searched(plan.varying(), askedValues);
    String recorded = plan.recordedSettings(searched, askedValues).settings();
    return new PlanQuestion(searched, askedValues, sizes(), variants(recorded));
  }

  private String searched(List<String> varying, Map<String, Long> askedValues) {
    if (find != null && !find.isBlank()) {
      return find;
    }
    List<String> open = varying.stream().filter(name -> !askedValues.containsKey(name)).toList();
    if (open.size() > 1) {
      throw RefusedRequestException.badMember(
          "find",
          "is missing, and several parameters differ: " + String.join(", ", varying),
          "Name the one to search, and give the others in at.");
    }
    return open.isEmpty() ? varying.getFirst() : open.getFirst();
  }

  private List<DeviceSize> sizes() {
    List<@Nullable Long> totals = totalBytes == null ? List.of() : totalBytes;
    if (totals.size() > MOST_DEVICES) {
      throw RefusedRequestException.badMember(
          "totalBytes",
          "has " + totals.size() + " entries",
          "Send at most " + MOST_DEVICES + " devices.");
    }
    long others = othersBytes == null ? 0 : othersBytes;
    if (others < 0 || others > MAX_BYTES) {
      throw RefusedRequestException.badMember(
          "othersBytes", "is " + others, "Use 0 to " + MAX_BYTES + " bytes.");
    }
    List<DeviceSize> sizes = new ArrayList<>();
    for (Long total : totals) {
      if (total == null || total < 1 || total > MAX_BYTES) {
        throw RefusedRequestException.badMember(
            "totalBytes", "contains " + total, "Use 1 to " + MAX_BYTES + " bytes.");
      }
      if (others >= total) {
        throw RefusedRequestException.badMember(
            "othersBytes",
            "is " + others,
            "Use 0 or more bytes, less than the memory of each device.");
      }
      sizes.add(DeviceSize.of(total, others));
    }
    return sizes;
  }

  private List<Variant.Caching> variants(String recorded) {
    List<@Nullable String> lines = settings == null ? List.of() : settings;
    if (lines.size() > MOST_SETTINGS) {
      throw RefusedRequestException.badMember(
          "settings",
          "has " + lines.size() + " entries",
          "Send at most " + MOST_SETTINGS + " in one request.");
    }
    List<Variant.Caching> variants = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      String where = "settings[" + i + "]";
      if (line == null) {
        throw RefusedRequestException.badMember(where, "is null", "Use \"\" for the defaults.");
      }
      if (WhatIfSettings.parse(AllocatorFamily.CACHING, line, recorded, where).variant()
          instanceof Variant.Caching caching) {
        variants.add(caching);
      }
    }
    return variants;
  }
}
