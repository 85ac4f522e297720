package dev.vramscope.postmortem.frees;

import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.postmortem.cause.Request;
import dev.vramscope.postmortem.cause.RequestState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Finds the least live bytes whose frees let the allocator release enough memory to the device for
 * a request: whole segments, and whole pages of expandable ones.
 *
 * <p>For requests to expandable segments this counts the pages of the whole request: free memory at
 * the end of a mapped range could make one of them unnecessary, but which range the allocator
 * extends depends on addresses that a snapshot does not contain.
 */
final class ReleaseSearch {
  /** The driver allocates multiples of this on present GPUs. */
  private static final long DEVICE_UNIT_BYTES = 2L << 20;

  /** About a tenth of a second. */
  static final long MAX_CELLS = 16_000_000;

  private final RequestState state;
  private final Request request;
  private final SizeRules sizes;
  private final long maxCells;

  ReleaseSearch(RequestState state) {
    this(state, MAX_CELLS);
  }

  /** A search with at most this many cells; if they do not suffice, sizes are rounded. */
  ReleaseSearch(RequestState state, long maxCells) {
    this.state = state;
    request = state.request();
    sizes = state.sizes();
    this.maxCells = maxCells;
  }

  /**
   * Why it cannot be known what releasing memory to the device would give, as a sentence; empty if
   * it can.
   */
  Optional<String> obstacle() {
    OptionalLong free = state.deviceFreeBytes();
    if (request.family() == AllocatorFamily.BFC) {
      return Optional.of(
          "This allocator keeps its regions, so frees return nothing to the device.");
    }
    if (free.isEmpty()) {
      return Optional.of(
          "Frees that let whole segments return to the device are not considered: the free memory"
              + " of the device is unknown.");
    }
    if (request.family() == AllocatorFamily.DIRECT) {
      return Optional.empty();
    }
    if (request.pool().graph() != 0) {
      return Optional.of(
          "Frees that let whole segments return to the device are not considered: the request"
              + " belongs to a CUDA graph, and during a capture the cache is not emptied.");
    }
    if (state.refusesWithoutRetry()) {
      return Optional.of(
          "Frees that let whole segments return to the device are not considered: with"
              + " throw_on_cudamalloc_oom the request may fail before the cache is emptied.");
    }
    if (state.hasUnknownLimit()) {
      return Optional.of(
          "Frees that let whole segments return to the device are not considered: a memory limit of"
              + " unknown size applied.");
    }
    if (state.isCacheKept()) {
      return Optional.of(
          "Frees that let whole segments return to the device are not considered: the cache was not"
              + " emptied when the request failed.");
    }
    return Optional.empty();
  }

  /** What the device lacks for the request; not positive if it lacks nothing. */
  private long deviceNeed() {
    long free = state.deviceFreeBytes().orElse(0);
    return request.family() == AllocatorFamily.DIRECT
        ? onDevice(request.roundedBytes()) - free
        : request.segmentBytes() - free;
  }

  /** Bytes to release, so that device and limit have room for the request. */
  private long need() {
    OptionalLong limit = state.device().limitBytes();
    long overLimit =
        limit.isPresent() && request.family() == AllocatorFamily.CACHING
            ? state.ledger().reservedBytes()
                + sizes.segmentBytes(request.roundedBytes())
                - limit.getAsLong()
            : 0;
    return Math.max(deviceNeed(), overLimit);
  }

  /**
   * The cheapest release that frees at least one block; only if there is no {@link #obstacle}.
   *
   * @param keptAddresses addresses of live blocks that must not be freed
   */
  Optional<FreePlan> cheapest(Set<Long> keptAddresses) {
    List<ReleaseUnit> units = new ArrayList<>();
    long need = need();
    long most = 0;
    for (ReleaseUnit unit : units(keptAddresses)) {
      if (unit.bytes() == 0) {
        continue;
      }
      if (unit.costBytes() == 0) {
        // Released without any free.
        need -= unit.bytes();
      } else {
        units.add(unit);
        most += unit.bytes();
      }
    }
    if (need <= 0 || most < need) {
      return Optional.empty();
    }
    long step = 0;
    for (ReleaseUnit unit : units) {
      step = gcd(step, unit.bytes());
    }
    long exactStep = step;
    while (units.size() * Math.ceilDiv(need, step) > maxCells) {
      step *= 2;
    }
    List<ReleaseUnit> chosenUnits = new ReleaseKnapsack(units, need, step).cheapest();
    return chosenUnits.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new FreePlan.Release(
                ReleaseUnit.pieces(chosenUnits), step == exactStep && !hasExpandableSegments()));
  }

  /** Whether the request might need fewer pages than are counted. */
  private boolean hasExpandableSegments() {
    return state.state().segments().stream().anyMatch(Segment::expandable);
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  private List<ReleaseUnit> units(Set<Long> keptAddresses) {
    List<ReleaseUnit> units = new ArrayList<>();
    for (Segment segment : state.state().segments()) {
      if (segment.pool().isPrivate()) {
        // Released only when the pool has no users, which a snapshot does not contain.
        continue;
      }
      if (segment.expandable()) {
        units.addAll(
            ReleaseUnit.ofExpandable(segment, sizes.pageBytes(segment.kind()), keptAddresses));
      } else {
        units.addAll(ReleaseUnit.ofPlain(segment, released(segment.bytes()), keptAddresses));
      }
    }
    return units;
  }

  /** The device memory of an allocation of the driver. */
  private static long onDevice(long bytes) {
    return Math.ceilDiv(bytes, DEVICE_UNIT_BYTES) * DEVICE_UNIT_BYTES;
  }

  /** On a real device, small allocations of the driver share memory: they may return none. */
  private long released(long bytes) {
    return state.facts().isSimulated() || request.family() != AllocatorFamily.DIRECT
        ? onDevice(bytes)
        : bytes / DEVICE_UNIT_BYTES * DEVICE_UNIT_BYTES;
  }
}
