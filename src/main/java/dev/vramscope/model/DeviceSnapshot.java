package dev.vramscope.model;

import java.util.List;

/**
 * One GPU's part of a snapshot, or the pinned host memory of its process.
 *
 * @param ordinal the device number; {@link #PINNED_HOST} for pinned host memory
 * @param segments in address order
 * @param trace the events that led to this state, oldest first
 * @param annotations in time order
 * @param facts the allocator and the device, as far as they were recorded
 */
public record DeviceSnapshot(
    int ordinal,
    List<Segment> segments,
    Trace trace,
    List<Annotation> annotations,
    AllocatorFacts facts) {
  /** The number that PyTorch gives to the host. */
  public static final int PINNED_HOST = -1;

  public DeviceSnapshot {
    segments = List.copyOf(segments);
    annotations = List.copyOf(annotations);
  }

  /** Events, segments and blocks: the time that work on this device takes grows with them. */
  public long rowCount() {
    return trace.size() + segments.size() + blockCount();
  }

  /** The blocks of all segments. */
  public long blockCount() {
    return segments.stream().mapToLong(segment -> segment.blocks().size()).sum();
  }

  /** Whether this is pinned host memory and not a GPU. */
  public boolean isPinnedHost() {
    return ordinal == PINNED_HOST;
  }

  /** Whether this is a profile: live buffers without addresses. */
  public boolean isProfile() {
    return facts.profiledDevice().isPresent();
  }

  /** Whether this is a log of requests and frees, without the segments that served them. */
  public boolean isRequestLog() {
    return facts.family() == AllocatorFamily.UNRECORDED;
  }

  /** Whether the file says what the allocator held: false for profiles and for logs of requests. */
  public boolean hasSegmentsRecorded() {
    return !isProfile() && !isRequestLog();
  }

  /**
   * Whether this is a dump: one moment of a BFC allocator, with at most its failed requests. The
   * allocator writes one when it cannot serve a request, and at no other time.
   */
  public boolean isDump() {
    return facts.family() == AllocatorFamily.BFC
        && !isProfile()
        && !facts.isRecorded()
        && trace.ooms().size() == trace.size();
  }

  /** Whether a request failed of which the file says nothing else. */
  public boolean isFailedRequestUnknown() {
    return isDump() && trace.isEmpty();
  }

  /** The requests that are known to have failed. */
  public int failedRequestCount() {
    return isFailedRequestUnknown() ? 1 : trace.ooms().size();
  }

  /** A device of a snapshot in PyTorch's format. */
  public DeviceSnapshot(
      int ordinal, List<Segment> segments, Trace trace, List<Annotation> annotations) {
    this(ordinal, segments, trace, annotations, AllocatorFacts.NOT_RECORDED);
  }
}
