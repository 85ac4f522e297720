package dev.vramscope.web.whatif;

import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.ByteSize;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.whatif.replays.WhatIfPlan;
import dev.vramscope.whatif.replays.WhatIfSettings;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What to replay, as a client asks for it.
 *
 * @param device the ordinal; if not given, that of the first device that ran out of memory
 * @param totalBytes memory of the device; if not given, the allocator's memory limit if that
 *     refused a request, or else the size that attached texts measured, or else the least that the
 *     recording proves; unlimited if nothing failed
 * @param othersBytes of it, used outside the allocator; if neither is given, what is missing from
 *     an attached size at the failure
 * @param allocator the id of an {@link AllocatorFamily}
 * @param settings each a whole string of settings
 */
record WhatIfRequest(
    @Schema(example = "0") @Nullable Integer device,
    @Schema(example = "8589934592") @Nullable Long totalBytes,
    @Schema(example = "0") @Nullable Long othersBytes,
    @Schema(example = "caching") @Nullable String allocator,
    @Schema(example = "[\"recorded\", \"expandable_segments:True\"]")
        @Nullable List<@Nullable String> settings) {
  private static final int MAX_SETTINGS = 64;
  private static final long MAX_BYTES = ByteSize.MAX_BYTES;

  /**
   * Reads the request.
   *
   * @throws RefusedRequestException naming the member that is not valid
   */
  WhatIfPlan plan(String id, SnapshotInspection snapshot) {
    DeviceInspection inspection = ChosenDevice.allocatorOfGpu(snapshot, device);
    if (inspection.device().kind() == RecordingKind.DUMP) {
      throw RefusedRequestException.notOf(inspection.device());
    }
    long others = requireSize("othersBytes", othersBytes == null ? 0 : othersBytes);
    OptionalLong total =
        totalBytes == null
            ? OptionalLong.empty()
            : OptionalLong.of(requireSize("totalBytes", totalBytes));
    ReplayInput.requireTrace(inspection);
    if (total.isPresent() && others > total.getAsLong()) {
      throw RefusedRequestException.badMember(
          "othersBytes",
          "is " + others + ", more than totalBytes, " + total.getAsLong(),
          "Others use a part of the device.");
    }
    return new WhatIfPlan(
        id,
        inspection.ordinal(),
        ReplayDevice.of(
                inspection,
                total,
                othersBytes == null ? OptionalLong.empty() : OptionalLong.of(others))
            .size(),
        rows(snapshot.snapshot().configuration(), inspection));
  }

  private static long requireSize(String member, long bytes) {
    if (bytes < 0) {
      throw RefusedRequestException.badMember(
          member, "is " + bytes, "Use 0 or more bytes, or leave it out.");
    }
    if (bytes > MAX_BYTES) {
      throw RefusedRequestException.badMember(
          member, "is " + bytes, "Use at most " + MAX_BYTES + " (1 PiB).");
    }
    return bytes;
  }

  private List<WhatIfSettings> rows(String recorded, DeviceInspection device) {
    boolean isOfPool = device.replays().isOfPool();
    AllocatorFamily usual = isOfPool ? AllocatorFamily.BFC : AllocatorFamily.CACHING;
    String id = allocator == null ? usual.id() : allocator;
    AllocatorFamily family =
        AllocatorFamily.of(id)
            .filter(AllocatorFamily.replayable()::contains)
            .orElseThrow(
                () ->
                    RefusedRequestException.badMember(
                        "allocator", "is '" + id + "'", "Use caching, bfc or direct."));
    if (settings == null || settings.isEmpty()) {
      throw RefusedRequestException.badMember(
          "settings",
          "is missing or empty",
          "Send a list such as [\"\", \"expandable_segments:True\"]; \"\" are the defaults.");
    }
    if (settings.size() > MAX_SETTINGS) {
      throw RefusedRequestException.badMember(
          "settings",
          "has " + settings.size() + " entries",
          "Send at most " + MAX_SETTINGS + " in one request.");
    }
    List<WhatIfSettings> rows = new ArrayList<>();
    for (int i = 0; i < settings.size(); i++) {
      String text = settings.get(i);
      String where = "settings[" + i + "]";
      if (text == null) {
        throw RefusedRequestException.badMember(where, "is null", "Use \"\" for the defaults.");
      }
      rows.add(
          isOfPool
              ? WhatIfSettings.parsePool(family, text, device.replays().poolToVary(), where)
              : WhatIfSettings.parse(family, text, recorded, where));
    }
    return rows;
  }
}
