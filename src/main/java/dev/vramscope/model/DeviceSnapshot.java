package dev.vramscope.model;

import java.util.List;

/**
 * One GPU's part of a snapshot.
 *
 * @param ordinal the device number
 * @param segments in address order
 * @param trace the events that led to this state, oldest first
 * @param annotations in time order
 */
public record DeviceSnapshot(
    int ordinal, List<Segment> segments, Trace trace, List<Annotation> annotations) {
  public DeviceSnapshot {
    segments = List.copyOf(segments);
    annotations = List.copyOf(annotations);
  }
}
