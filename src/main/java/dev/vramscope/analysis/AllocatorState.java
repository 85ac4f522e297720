package dev.vramscope.analysis;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Finding;
import dev.vramscope.model.Segment;
import java.util.List;

/**
 * Segments and blocks of a device at a moment, walked back from the final state.
 *
 * @param event the moment: after this event
 * @param segments in address order; blocks tile them
 * @param estimatedBlockCount active blocks whose rounded size could not be recovered for certain
 * @param ambiguousBytes bytes shown as cached that may be part of the block before them
 * @param findings what did not fit together
 */
public record AllocatorState(
    int event,
    List<Segment> segments,
    long estimatedBlockCount,
    long ambiguousBytes,
    List<Finding> findings) {
  public AllocatorState {
    segments = List.copyOf(segments);
    findings = List.copyOf(findings);
  }

  public static AllocatorState at(
      DeviceSnapshot device, Lifetimes lifetimes, SizeRules sizes, int event) {
    return Unbuilt.value();
  }

  /** The state as the file shows it. */
  public static AllocatorState end(DeviceSnapshot device) {
    return Unbuilt.value();
  }
}
