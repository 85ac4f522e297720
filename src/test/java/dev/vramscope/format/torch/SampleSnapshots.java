package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.pickle.PickleWriter;
import dev.vramscope.format.pickle.PickleWriter.Tuple;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.finding.Finding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/** Minimal hand-written snapshots as Java values, for {@link PickleWriter}. */
final class SampleSnapshots {
  static final long BASE = 0x7F00_0000_0000L;
  static final long MIB = 1L << 20;
  static final ReadLimits LIMITS = ReadLimits.forHeap(512L << 20);

  private SampleSnapshots() {}

  /** A dict of alternating keys and values, in order; values may be null. */
  static Map<String, @Nullable Object> dict(@Nullable Object... entries) {
    Map<String, @Nullable Object> dict = new LinkedHashMap<>();
    for (int i = 0; i < entries.length; i += 2) {
      dict.put(String.valueOf(entries[i]), entries[i + 1]);
    }
    return dict;
  }

  /** A copy of the dict with one changed value. */
  static Map<String, @Nullable Object> with(
      Map<String, @Nullable Object> dict, String key, @Nullable Object value) {
    Map<String, @Nullable Object> changed = new LinkedHashMap<>(dict);
    changed.put(key, value);
    return changed;
  }

  /** A copy of the dict without one key. */
  static Map<String, @Nullable Object> without(Map<String, @Nullable Object> dict, String key) {
    Map<String, @Nullable Object> changed = new LinkedHashMap<>(dict);
    changed.remove(key);
    return changed;
  }

  static Map<String, @Nullable Object> frame(String name, int line) {
    return dict("name", name, "filename", "train.py", "line", line);
  }

  static Map<String, @Nullable Object> block(long address, long bytes, String state) {
    return dict(
        "address",
        address,
        "size",
        bytes,
        "requested_size",
        Math.max(bytes - 12, 0),
        "state",
        state,
        "frames",
        new ArrayList<>());
  }

  /** A 2 MiB segment of two blocks: 512 bytes allocated, the rest inactive. */
  static Map<String, @Nullable Object> segment(long address) {
    return dict(
        "device",
        0,
        "address",
        address,
        "total_size",
        2 * MIB,
        "allocated_size",
        512L,
        "active_size",
        512L,
        "requested_size",
        500L,
        "stream",
        0,
        "segment_type",
        "small",
        "segment_pool_id",
        Tuple.of(0, 0),
        "is_expandable",
        false,
        "frames",
        List.of(frame("main", 1)),
        "blocks",
        List.of(
            block(address, 512, "active_allocated"),
            block(address + 512, 2 * MIB - 512, "inactive")));
  }

  static Map<String, @Nullable Object> event(String action, long address, long bytes, long time) {
    return dict(
        "action",
        action,
        "addr",
        address,
        "size",
        bytes,
        "stream",
        0,
        "time_us",
        time,
        "compile_context",
        "N/A",
        "user_metadata",
        "",
        "pool_id",
        Tuple.of(0, 0),
        "frames",
        List.of(frame("forward", 7), frame("main", 1)));
  }

  static Map<String, @Nullable Object> settings() {
    return dict(
        "PYTORCH_CUDA_ALLOC_CONF",
        "",
        "max_split_size",
        -1,
        "garbage_collection_threshold",
        0.0,
        "expandable_segments",
        false,
        "roundup_power2_divisions",
        dict("1", 0, "2", 4));
  }

  /** A complete snapshot of one segment and two events. */
  static Map<String, @Nullable Object> snapshot() {
    return dict(
        "segments",
        List.of(segment(BASE)),
        "device_traces",
        List.of(
            List.of(
                event("segment_alloc", BASE, 2 * MIB, 1_000), event("alloc", BASE, 500, 1_001))),
        "allocator_settings",
        settings(),
        "external_annotations",
        List.of(
            dict("name", "step", "stage", "START", "device", 0, "time_us", 1_000),
            dict("name", "step", "stage", "END", "device", 0, "time_us", 1_002)));
  }

  static Snapshot read(byte[] pickle) throws FormatException, IOException {
    return TorchPickleReader.read(new ByteArrayInputStream(pickle), LIMITS);
  }

  static Snapshot read(Object value) throws FormatException, IOException {
    return read(PickleWriter.python(value, 4));
  }

  static FormatException rejection(Object value) {
    return rejection(PickleWriter.python(value, 4));
  }

  static FormatException rejection(byte[] pickle) {
    return Assertions.catchThrowableOfType(FormatException.class, () -> read(pickle));
  }

  /** The first device. */
  static DeviceSnapshot device(Snapshot snapshot) {
    return snapshot.devices().getFirst();
  }

  /** The finding with that code. */
  static Finding finding(Snapshot snapshot, String code) {
    return snapshot.findings().stream()
        .filter(finding -> finding.code().equals(code))
        .findFirst()
        .orElseThrow();
  }
}
