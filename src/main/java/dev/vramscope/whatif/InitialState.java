package dev.vramscope.whatif;

import dev.vramscope.allocator.caching.RestoredSegment;
import dev.vramscope.model.Block;
import java.util.List;

/**
 * What a caching allocator held before the first event of a recording: nothing if the recording
 * contains the whole run. Otherwise it is reconstructed from the final state, backwards through the
 * events.
 *
 * @param segments in the order of their age, as far as the recording shows it
 * @param uncertainEnds live blocks of which only the requested size is known, followed by free
 *     memory that may belong to them
 * @param droppedSegments segments that contradict the events and were left out
 */
record InitialState(
    List<RestoredSegment> segments, List<UncertainEnd> uncertainEnds, long droppedSegments) {
  public InitialState {
    segments = List.copyOf(segments);
    uncertainEnds = List.copyOf(uncertainEnds);
  }

  /** Whether the recording contains the whole run. */
  boolean isEmpty() {
    return segments.isEmpty() && droppedSegments == 0;
  }

  /** Upper limit of the bytes taken as free that may belong to live blocks. */
  long uncertainBytes() {
    return uncertainEnds.stream().mapToLong(end -> end.limit() - end.end()).sum();
  }

  /** The number of blocks in use, allocated or waiting for a stream. */
  long activeBlocks() {
    return segments.stream()
        .flatMap(segment -> segment.blocks().stream())
        .filter(Block::isActive)
        .count();
  }
}
