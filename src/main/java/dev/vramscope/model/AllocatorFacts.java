package dev.vramscope.model;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Facts about an allocator and its device that PyTorch's snapshots do not contain. Snapshots of
 * hosted allocators have them.
 *
 * @param family the algorithm; {@link AllocatorFamily#CACHING} if it is not recorded, because that
 *     is the allocator which writes the format
 * @param deviceBytes the memory of the device
 * @param deviceFreeBytes free on the device when the state was captured, at most {@code
 *     deviceBytes}
 * @param limitBytes the most memory that the allocator may hold, if it has a limit
 * @param isSimulated whether the device is known to be simulated
 * @param profiledDevice the name of the device, such as {@code cuda:0}, if this is a profile: a
 *     list of live buffers without addresses. They lie in one segment, in no order; nothing is
 *     known of segments, of free memory and of what was live before
 * @param totals the allocator's totals beside the events, if the file has them and no segments
 * @param pool what a dump of a BFC allocator says of its pool, if this is one
 */
public record AllocatorFacts(
    AllocatorFamily family,
    OptionalLong deviceBytes,
    OptionalLong deviceFreeBytes,
    OptionalLong limitBytes,
    boolean isSimulated,
    Optional<String> profiledDevice,
    Optional<RecordedTotals> totals,
    Optional<PoolRecord> pool) {
  /** A snapshot in PyTorch's format, without these facts. */
  public static final AllocatorFacts NOT_RECORDED =
      new AllocatorFacts(
          AllocatorFamily.CACHING,
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          /* isSimulated= */ false);

  /** Facts about an allocator whose blocks have addresses. */
  public AllocatorFacts(
      AllocatorFamily family,
      OptionalLong deviceBytes,
      OptionalLong deviceFreeBytes,
      OptionalLong limitBytes,
      boolean isSimulated) {
    this(
        family,
        deviceBytes,
        deviceFreeBytes,
        limitBytes,
        isSimulated,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Requests and frees of an allocator whose segments are not recorded. */
  public static AllocatorFacts ofRequests(
      OptionalLong deviceBytes, Optional<RecordedTotals> totals) {
    return new AllocatorFacts(
        AllocatorFamily.UNRECORDED,
        deviceBytes,
        OptionalLong.empty(),
        OptionalLong.empty(),
        /* isSimulated= */ false,
        Optional.empty(),
        totals,
        Optional.empty());
  }

  /** A profile of the live buffers of a device. */
  public static AllocatorFacts ofProfile(String device) {
    return new AllocatorFacts(
        AllocatorFamily.BFC,
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        /* isSimulated= */ false,
        Optional.of(device),
        Optional.empty(),
        Optional.empty());
  }

  /** The pool of a BFC allocator, in a dump that it wrote when a request failed. */
  public static AllocatorFacts ofDump(OptionalLong limitBytes, PoolRecord pool) {
    return new AllocatorFacts(
        AllocatorFamily.BFC,
        OptionalLong.empty(),
        OptionalLong.empty(),
        limitBytes,
        /* isSimulated= */ false,
        Optional.empty(),
        Optional.empty(),
        Optional.of(pool));
  }

  public AllocatorFacts {
    if (deviceBytes.orElse(0) < 0 || deviceFreeBytes.orElse(0) < 0 || limitBytes.orElse(0) < 0) {
      throw new IllegalArgumentException("sizes must not be negative");
    }
    if (deviceBytes.isPresent() && deviceFreeBytes.orElse(0) > deviceBytes.getAsLong()) {
      throw new IllegalArgumentException(
          "the device has " + deviceBytes.getAsLong() + " bytes, not " + deviceFreeBytes + " free");
    }
  }

  /** Whether a program of JAX, XLA or TensorFlow used it; a hosted allocator has its device. */
  public boolean isOfXla() {
    return family.isBfc() && !isRecorded();
  }

  /** Whether the producer recorded the size of the device. */
  public boolean isRecorded() {
    return deviceBytes.isPresent();
  }

  /**
   * The allocator's own totals beside the events of a trace without segments.
   *
   * @param allocatedBefore allocated before the first event, whether the trace frees it or not
   * @param reserved what the allocator held: the events after which it changed, ascending; empty if
   *     it is not recorded
   */
  public record RecordedTotals(long allocatedBefore, List<Reserved> reserved) {
    /**
     * What the allocator held after an event, and until the next of the list.
     *
     * @param event its number in the trace
     */
    public record Reserved(int event, long bytes) {}

    public RecordedTotals {
      reserved = List.copyOf(reserved);
      if (allocatedBefore < 0 || reserved.stream().anyMatch(each -> each.bytes < 0)) {
        throw new IllegalArgumentException("totals must not be negative");
      }
    }
  }
}
