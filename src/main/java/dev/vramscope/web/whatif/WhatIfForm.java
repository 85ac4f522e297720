package dev.vramscope.web.whatif;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.request.SizeParameter;
import dev.vramscope.whatif.Combinations;
import dev.vramscope.whatif.DeviceSize;
import dev.vramscope.whatif.EmptyCache;
import dev.vramscope.whatif.Variant;
import dev.vramscope.whatif.pool.PoolSettings;
import dev.vramscope.whatif.replays.WhatIfPlan;
import dev.vramscope.whatif.replays.WhatIfSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * The parameters of the what-if page, which its URL contains.
 *
 * @param settings own settings, one a line; null for the default rows
 * @param total memory of the device as entered
 * @param others of it, used outside the allocator, as entered
 * @param allocator the id of an allocator for own settings
 * @param find "best" for the search
 * @param run "no" to show stored results only
 */
record WhatIfForm(
    @Nullable String settings,
    @Nullable String total,
    @Nullable String others,
    @Nullable String allocator,
    @Nullable String find,
    @Nullable String run) {
  private static final int MAX_LINES = 32;
  private static final String BEST = "best";

  /** What can serve the requests of a program of XLA's allocator. */
  static final List<AllocatorFamily> POOL_FAMILIES =
      List.of(AllocatorFamily.BFC, AllocatorFamily.DIRECT);

  public boolean isSearch() {
    return BEST.equals(find);
  }

  public boolean isOwn() {
    return !isSearch() && settings != null && !settings.isBlank();
  }

  boolean mayRun() {
    return !"no".equals(run);
  }

  /** The parameters that a form of this view sends, by name. */
  public Map<String, String> fields() {
    Map<String, String> fields = new LinkedHashMap<>();
    put("settings", settings, fields);
    put("total", total, fields);
    put("others", others, fields);
    put("allocator", allocator, fields);
    put("find", find, fields);
    return fields;
  }

  private static void put(String name, @Nullable String value, Map<String, String> fields) {
    if (value != null) {
      fields.put(name, value);
    }
  }

  /** The URL of this view. */
  String url(String path, DeviceInspection device, boolean runs) {
    UriComponentsBuilder url =
        UriComponentsBuilder.fromPath(path).queryParam("device", device.ordinal());
    List<String> values = new ArrayList<>();
    add("settings", isOwn() ? settings : null, url, values);
    add("total", total, url, values);
    add("others", others, url, values);
    add("allocator", isOwn() ? allocator : null, url, values);
    add("find", isSearch() ? find : null, url, values);
    add("run", runs ? null : "no", url, values);
    return url.encode().buildAndExpand(values.toArray()).toUriString();
  }

  private static void add(
      String name, @Nullable String value, UriComponentsBuilder url, List<String> values) {
    if (value != null && !value.isBlank()) {
      url.queryParam(name, "{" + name + "}");
      values.add(value);
    }
  }

  /**
   * The plan of this view.
   *
   * @throws RefusedRequestException naming the field that is not valid
   */
  WhatIfPlan plan(String id, DeviceInspection device) {
    DeviceSize size = replayDevice(device).size();
    return new WhatIfPlan(
        id, device.ordinal(), size, rows(device.snapshot().configuration(), device, size));
  }

  /**
   * The device of this view.
   *
   * @throws RefusedRequestException naming the field that is not valid
   */
  ReplayDevice replayDevice(DeviceInspection device) {
    OptionalLong totalBytes = SizeParameter.of("total", total);
    OptionalLong othersBytes = SizeParameter.of("others", others);
    if (totalBytes.isPresent() && othersBytes.orElse(0) > totalBytes.getAsLong()) {
      throw RefusedRequestException.badParameter(
          "others", String.valueOf(others), "at most the memory of the device, " + total);
    }
    return ReplayDevice.of(device, totalBytes, othersBytes);
  }

  private List<WhatIfSettings> rows(String recorded, DeviceInspection device, DeviceSize size) {
    if (device.replays().isOfPool()) {
      return poolRows(device, size);
    }
    List<WhatIfSettings> rows = new ArrayList<>();
    if (device.family().isCaching()) {
      rows.add(WhatIfSettings.recorded(recorded));
    }
    if (isOwn()) {
      AllocatorFamily family = family(AllocatorFamily.CACHING, AllocatorFamily.replayable());
      addOwn(
          rows,
          (line, where) ->
              WhatIfSettings.parse(family, WhatIfSettings.withoutVariable(line), recorded, where));
      return rows;
    }
    List<Variant> variants =
        isSearch()
            ? Combinations.searched(recorded)
            : Combinations.usual(recorded, device.replays().hasSteps());
    for (Variant variant : variants) {
      boolean isRecorded =
          device.family().isCaching() && variant.equals(new Variant.Caching(recorded));
      if (!isRecorded && isMeaningful(variant, device, size)) {
        rows.add(new WhatIfSettings(variant.label(), variant));
      }
    }
    return rows;
  }

  /** The rows of a program of XLA's allocator. */
  private List<WhatIfSettings> poolRows(DeviceInspection device, DeviceSize size) {
    List<WhatIfSettings> rows = new ArrayList<>();
    device.replays().pool().map(WhatIfSettings::recorded).ifPresent(rows::add);
    PoolSettings base = device.replays().poolToVary();
    if (isOwn()) {
      AllocatorFamily family = family(AllocatorFamily.BFC, POOL_FAMILIES);
      addOwn(rows, (line, where) -> WhatIfSettings.parsePool(family, line, base, where));
      return rows;
    }
    for (Variant variant : Combinations.usualOfPool(base, total != null && !total.isBlank())) {
      boolean isRecorded = !rows.isEmpty() && rows.getFirst().variant().equals(variant);
      if (!isRecorded && isMeaningful(variant, device, size)) {
        String name = variant instanceof Variant.Direct ? WhatIfSettings.PLATFORM : variant.label();
        rows.add(new WhatIfSettings(name, variant));
      }
    }
    return rows;
  }

  private AllocatorFamily family(AllocatorFamily usual, List<AllocatorFamily> accepted) {
    String id = allocator == null || allocator.isBlank() ? usual.id() : allocator;
    return AllocatorFamily.of(id)
        .filter(accepted::contains)
        .orElseThrow(
            () ->
                RefusedRequestException.badParameter(
                    "allocator",
                    id,
                    accepted.stream().map(AllocatorFamily::id).collect(Collectors.joining(", "))));
  }

  /** Adds own settings, one a line, which the parser gets with the place of the line. */
  private void addOwn(
      List<WhatIfSettings> rows, BiFunction<String, String, WhatIfSettings> parser) {
    List<String> lines =
        Objects.requireNonNullElse(settings, "")
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .toList();
    if (lines.size() > MAX_LINES) {
      throw RefusedRequestException.badParameter(
          "settings", lines.size() + " lines", "at most " + MAX_LINES);
    }
    for (int i = 0; i < lines.size(); i++) {
      rows.add(parser.apply(lines.get(i), "line " + (i + 1)));
    }
  }

  private static boolean isMeaningful(Variant variant, DeviceInspection device, DeviceSize size) {
    return switch (variant) {
      case Variant.Caching(String _, EmptyCache when) ->
          when != EmptyCache.BEFORE_FAILED_STEP || !device.ooms().isEmpty();
      // A part of an unlimited device has no size.
      case Variant.Bfc bfc ->
          !bfc.pool().preallocated()
              || bfc.pool().limitBytes().isPresent()
              || size.totalBytes().isPresent();
      case Variant.Direct _ -> true;
    };
  }
}
