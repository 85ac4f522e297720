package dev.vramscope.postmortem.frees;

import dev.vramscope.postmortem.cause.RequestState;
import java.util.OptionalLong;

/**
 * The largest request, in the pool and on the stream of a failed one, that would have been served.
 *
 * @param atLeastBytes a request of this size would have been served; 0 if none is certain to
 * @param atMostBytes no larger request would have been served; empty if there is no known bound
 */
public record LargestFit(long atLeastBytes, OptionalLong atMostBytes) {
  static LargestFit of(RequestState state) {
    return switch (state.request().family()) {
      case CACHING -> new CachingLargestFit(state).largest();
      case BFC -> ofBfc(state);
      case DIRECT, UNRECORDED -> ofDirect(state);
    };
  }

  /** Whether the largest request is known. */
  public boolean isExact() {
    return atMostBytes.isPresent() && atMostBytes.getAsLong() == atLeastBytes;
  }

  /** A free chunk; or a new region, whose size depends on regions that a snapshot does not show. */
  private static LargestFit ofBfc(RequestState state) {
    long chunk = state.free().largestUsable();
    OptionalLong device = mostFree(state);
    OptionalLong limit = state.device().limitBytes();
    if (device.isEmpty() && limit.isEmpty()) {
      return new LargestFit(chunk, OptionalLong.empty());
    }
    long underLimit = limit.orElse(Long.MAX_VALUE) - state.ledger().reservedBytes();
    long region = Math.min(device.orElse(Long.MAX_VALUE), underLimit);
    return new LargestFit(chunk, OptionalLong.of(Math.max(chunk, region)));
  }

  /** What the device has free; whether a real one has it in one piece is not known. */
  private static LargestFit ofDirect(RequestState state) {
    OptionalLong free = state.deviceFreeBytes();
    return new LargestFit(
        free.isPresent() && state.facts().isSimulated() ? free.getAsLong() : 0, mostFree(state));
  }

  /** The free memory of the device, or an upper limit of it. */
  static OptionalLong mostFree(RequestState state) {
    OptionalLong free = state.deviceFreeBytes();
    return free.isPresent() ? free : state.unreservedBytes();
  }
}
