package dev.vramscope.whatif.pool;

import dev.vramscope.allocator.bfc.BfcOptions;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.pool.ChunkRules;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The pool that a recording shows: as recorded, or as its regions and its limit tell. */
public final class RecordedPool {
  /** The first region of a pool that grows. */
  private static final long FIRST_GROWING_BYTES = 2L << 20;

  private RecordedPool() {}

  /** The settings of a device; empty if its regions are not recorded. */
  public static Optional<PoolSettings> of(Snapshot snapshot, DeviceSnapshot device) {
    if (!device.facts().family().isBfc() || device.trace().isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> recorded =
        snapshot.settings().map(AllocatorSettings::values).orElse(Map.of());
    PoolSettings seen = seen(device);
    PoolSettings limited =
        number(recorded.get("memory_limit"))
            .filter(bytes -> bytes > 0)
            .map(bytes -> seen.withLimit(bytes.longValue()))
            .orElse(seen);
    double fraction = number(recorded.get("fragmentation_fraction")).orElse(0.0);
    return Optional.of(
        new PoolSettings(
            recorded.containsKey("allow_growth")
                ? !Boolean.parseBoolean(recorded.get("allow_growth"))
                : limited.preallocated(),
            limited.memoryFraction(),
            limited.limitBytes(),
            fraction >= 0 && fraction <= 1 ? fraction : 0,
            limited.releasesFreeRegions()
                || Boolean.parseBoolean(recorded.get("garbage_collection")),
            Boolean.parseBoolean(recorded.get("enable_spatial_partitioning")),
            limited.descending()));
  }

  /** For a device whose regions are not recorded: a growing pool within its limit. */
  public static PoolSettings growing(DeviceSnapshot device) {
    PoolSettings growing =
        new PoolSettings(
            /* preallocated= */ false,
            BfcOptions.JAX_FRACTION,
            OptionalLong.empty(),
            0,
            /* releasesFreeRegions= */ false,
            /* twoEnds= */ false,
            /* descending= */ false);
    OptionalLong limit = device.facts().limitBytes();
    return limit.orElse(0) > 0 ? growing.withLimit(limit.getAsLong()) : growing;
  }

  private static PoolSettings seen(DeviceSnapshot device) {
    Trace trace = device.trace();
    long first = 0;
    long last = 0;
    int regions = 0;
    int descending = 0;
    boolean isReleased = false;
    for (int event = 0; event < trace.size(); event++) {
      if (trace.action(event) == TraceAction.SEGMENT_ALLOC) {
        first = regions == 0 ? trace.bytes(event) : first;
        descending += regions > 0 ? Long.compareUnsigned(last, trace.address(event)) : 0;
        last = trace.address(event);
        regions++;
      }
      isReleased |= trace.action(event) == TraceAction.SEGMENT_FREE;
    }
    boolean isPreallocated =
        regions == 1 && first > FIRST_GROWING_BYTES && isLimit(first, device.facts().limitBytes());
    PoolSettings pool =
        new PoolSettings(
            isPreallocated,
            1,
            OptionalLong.empty(),
            0,
            isReleased,
            /* twoEnds= */ false,
            descending > 0);
    OptionalLong limit = device.facts().limitBytes();
    if (limit.orElse(0) > 0) {
      return pool.withLimit(limit.getAsLong());
    }
    return isPreallocated ? pool.withLimit(first) : pool;
  }

  /** A preallocated region is the whole pool, of whole units. */
  private static boolean isLimit(long first, OptionalLong limit) {
    return limit.isEmpty() || first >= ChunkRules.wholeUnits(limit.getAsLong());
  }

  private static Optional<Double> number(@Nullable String text) {
    try {
      return text == null ? Optional.empty() : Optional.of(Double.parseDouble(text));
    } catch (NumberFormatException none) {
      return Optional.empty();
    }
  }
}
