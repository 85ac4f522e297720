package dev.vramscope.model;

import java.util.List;

/**
 * One GPU's part of a snapshot.
 *
 * @param ordinal the device number
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
  public DeviceSnapshot {
    segments = List.copyOf(segments);
    annotations = List.copyOf(annotations);
  }

  /** A device of a snapshot in PyTorch's format. */
  public DeviceSnapshot(
      int ordinal, List<Segment> segments, Trace trace, List<Annotation> annotations) {
    this(ordinal, segments, trace, annotations, AllocatorFacts.NOT_RECORDED);
  }
}
