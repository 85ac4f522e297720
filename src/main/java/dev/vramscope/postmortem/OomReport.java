package dev.vramscope.postmortem;

import dev.vramscope.analysis.AllocatorState;
import dev.vramscope.analysis.Ledger;
import dev.vramscope.analysis.Lifetimes;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Snapshot;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Why a request failed.
 *
 * @param asked the request
 * @param verdict the cause in one sentence
 * @param state the allocator at that moment
 * @param candidates blocks that held no client's data, nearest miss first
 * @param ledger the device at that moment
 * @param usableFreeBytes free bytes of the request's pool and stream
 * @param largestUsableBytes the largest free block of the request's pool and stream, 0 if none
 * @param cachedBytes free bytes inside the allocator, all pools and streams
 * @param releasableBytes what emptying the cache would give back to the device
 */
public record OomReport(
    Asked asked,
    Verdict verdict,
    AllocatorState state,
    List<Candidate> candidates,
    Ledger ledger,
    long usableFreeBytes,
    long largestUsableBytes,
    long cachedBytes,
    long releasableBytes) {
  public OomReport {
    candidates = List.copyOf(candidates);
  }

  /** The report of a recorded failure. */
  public static OomReport of(
      Snapshot snapshot,
      DeviceSnapshot device,
      Lifetimes lifetimes,
      OomEvent oom,
      OptionalLong totalBytes) {
    return Unbuilt.value();
  }

  /** Whether a request would fit in the final state. */
  public static OomReport of(
      Snapshot snapshot,
      DeviceSnapshot device,
      Lifetimes lifetimes,
      Supposed request,
      OptionalLong totalBytes) {
    return Unbuilt.value();
  }

  /** A request that nobody made: would these bytes fit now? Default pool. */
  public record Supposed(long requestedBytes, long stream) {}

  /**
   * What was asked.
   *
   * @param event the trace's event, or {@link Lifetimes#NEVER} for a supposed request
   * @param requestedBytes as recorded (PyTorch records the rounded request) or as supposed
   * @param roundedBytes the block that was needed
   * @param segmentBytes what went to the driver when no block served
   * @param stream the stream
   * @param kind the size class
   * @param pool the pool, or null when not recorded
   * @param timeMicros microseconds since 1970, or {@code Trace.NO_TIME}
   * @param stack an id in the snapshot's stack table; 0 when not recorded
   * @param site the innermost frame of the user's own code, or null
   * @param deviceFreeBytes what the driver had, or {@link OomEvent#UNKNOWN}
   */
  public record Asked(
      int event,
      long requestedBytes,
      long roundedBytes,
      long segmentBytes,
      long stream,
      PoolKind kind,
      @Nullable PoolId pool,
      long timeMicros,
      int stack,
      @Nullable Frame site,
      long deviceFreeBytes) {}
}
