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

  private final RequestState found;
  private final Request request;
  private final SizeRules sizes;
  private final long maxCells;

  ReleaseSearch(RequestState found) {
    this(found, MAX_CELLS);
  }

  /** A search with at most this many cells; if they do not suffice, sizes are rounded. */
  ReleaseSearch(RequestState found, long maxCells) {
    this.found = found;
    request = found.request();
    sizes = found.sizes();
    this.maxCells = maxCells;
  }

  /**
   * Why it cannot be known what releasing memory to the device would give, as a sentence; empty if
   * it can.
   */
  Optional<String> obstacle() {
    OptionalLong free = found.deviceFreeBytes();
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
    if (found.refusesWithoutRetry()) {
      return Optional.of(
          "Frees that let whole segments return to the device are not considered: with"
              + " throw_on_cudamalloc_oom the request may fail before the cache is emptied.");
    }
    if (found.hasUnknownLimit()) {
      return Optional.of(
          "Frees that let whole segments return to the device are not considered: a memory limit of"
              + " unknown size applied.");
    }
    if (found.isCacheKept()) {
      return Optional.of(
          "Frees that let whole segments return to the device are not considered: the cache was not"
              + " emptied when the request failed.");
    }
    return Optional.empty();
  }

  /** What the device lacks for the request; not positive if it lacks nothing. */
  private long deviceNeed() {
    long free = found.deviceFreeBytes().orElse(0);
    return request.family() == AllocatorFamily.DIRECT
        ? onDevice(request.roundedBytes()) - free
        : request.segmentBytes() - free;
  }

  /** Bytes to release, so that device and limit have room for the request. */
  private long need() {
    OptionalLong limit = found.room().limitBytes();
    long overLimit =
        limit.isPresent() && request.family() == AllocatorFamily.CACHING
            ? found.ledger().reservedBytes()
                + sizes.segmentBytes(request.roundedBytes())
                - limit.getAsLong()
            : 0;
    return Math.max(deviceNeed(), overLimit);
  }

  /**
   * The cheapest release that frees at least one block; only if there is no {@link #obstacle}.
   *
   * @param kept addresses of live blocks that must not be freed
   */
  Optional<FreePlan> cheapest(Set<Long> kept) {
    List<ReleaseUnit> units = new ArrayList<>();
    long need = need();
    long most = 0;
    for (ReleaseUnit unit : units(kept)) {
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
    List<ReleaseUnit> chosen = new ReleaseKnapsack(units, need, step).cheapest();
    return chosen.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new FreePlan.Release(
                ReleaseUnit.pieces(chosen), step == exactStep && !hasExpandableSegments()));
  }

  /** Whether the request might need fewer pages than are counted. */
  private boolean hasExpandableSegments() {
    return found.state().segments().stream().anyMatch(Segment::expandable);
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  private List<ReleaseUnit> units(Set<Long> kept) {
    List<ReleaseUnit> units = new ArrayList<>();
    for (Segment segment : found.state().segments()) {
      if (segment.pool().isPrivate()) {
        // Released only when the pool has no users, which a snapshot does not contain.
        continue;
      }
      if (segment.expandable()) {
        units.addAll(ReleaseUnit.ofExpandable(segment, sizes.pageBytes(segment.kind()), kept));
      } else {
        units.addAll(ReleaseUnit.ofPlain(segment, released(segment.bytes()), kept));
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
    return found.facts().isSimulated() || request.family() != AllocatorFamily.DIRECT
        ? onDevice(bytes)
        : bytes / DEVICE_UNIT_BYTES * DEVICE_UNIT_BYTES;
  }
}
