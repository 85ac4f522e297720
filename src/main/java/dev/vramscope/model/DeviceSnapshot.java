package dev.vramscope.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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

  /** What pages call it. */
  public String label() {
    return isPinnedHost()
        ? "Pinned host memory"
        : "Device " + facts.profiledDevice().orElseGet(() -> Integer.toString(ordinal));
  }

  /** Events, segments and blocks: the time that work on this device takes grows with them. */
  public long rowCount() {
    return trace.size() + segments.size() + blockCount();
  }

  /** The blocks of all segments. */
  public long blockCount() {
    return segments.stream().mapToLong(segment -> segment.blocks().size()).sum();
  }

  public long reservedBytes() {
    return segments.stream().mapToLong(Segment::bytes).sum();
  }

  public long allocatedBytes() {
    return segments.stream().mapToLong(Segment::allocatedBytes).sum();
  }

  public long pendingFreeBytes() {
    return segments.stream().mapToLong(Segment::pendingFreeBytes).sum();
  }

  public long activeBytes() {
    return allocatedBytes() + pendingFreeBytes();
  }

  /** The segment that contains an address. */
  public Optional<Segment> segmentAt(long address) {
    return segments.stream().filter(segment -> segment.contains(address)).findFirst();
  }

  /** The stream with the most reserved memory; 0 without segments. */
  public long fullestStream() {
    Map<Long, Long> reserved = new HashMap<>();
    for (Segment segment : segments) {
      reserved.merge(segment.stream(), segment.bytes(), Long::sum);
    }
    return reserved.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(0L);
  }

  /** The addresses of the blocks that wait until another stream has finished with them. */
  public Set<Long> pendingFreeAddresses() {
    return segments.stream()
        .flatMap(segment -> segment.blocks().stream())
        .filter(block -> block.state() == BlockState.PENDING_FREE)
        .map(Block::address)
        .collect(Collectors.toSet());
  }

  /** What the file contains of this device. */
  public RecordingKind kind() {
    if (ordinal == PINNED_HOST) {
      return RecordingKind.PINNED_HOST;
    }
    if (facts.profiledDevice().isPresent()) {
      return RecordingKind.PROFILE;
    }
    if (facts.family() == AllocatorFamily.UNRECORDED) {
      return RecordingKind.REQUEST_LOG;
    }
    boolean hasOnlyFailures = trace.ooms().size() == trace.size();
    if (facts.family() == AllocatorFamily.BFC && !facts.isRecorded() && hasOnlyFailures) {
      return RecordingKind.DUMP;
    }
    return trace.isEmpty() ? RecordingKind.STATE : RecordingKind.TRACE;
  }

  /**
   * Whether the file says how many bytes the program requested: in its events, or for a block in
   * use. Otherwise the sizes of blocks are all that is known.
   */
  public boolean hasRequestedBytes() {
    if (trace.size() > trace.ooms().size()) {
      return true;
    }
    List<Block> active =
        segments.stream()
            .flatMap(segment -> segment.blocks().stream())
            .filter(Block::isActive)
            .toList();
    return active.isEmpty()
        || active.stream().anyMatch(block -> block.requestedBytes() != Block.UNKNOWN);
  }

  /** Whether this is pinned host memory and not a GPU. */
  public boolean isPinnedHost() {
    return !kind().isOfGpu();
  }

  /** Whether a request failed of which the file says nothing else. */
  public boolean isFailedRequestUnknown() {
    return kind() == RecordingKind.DUMP && trace.isEmpty();
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
