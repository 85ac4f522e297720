package dev.vramscope.analysis;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;

/**
 * The heap that a snapshot and all its analyses need together, estimated from its numbers of
 * events, blocks, frames and sites. For 1 million events with a site each, the most expensive kind
 * of file, it is 460 MiB.
 */
public final class AnalysisHeap {
  // Lifetimes, active bytes, the operations of a replay, and two filtered lists, for each event.
  private static final long EVENT_BYTES = 40 + 25 + 8;
  private static final long BLOCK_BYTES = 80;
  // Memory that a segment event acquires or releases; the index of lifetimes is 4/15 an event.
  private static final long SEGMENT_EVENT_BYTES = 68;
  private static final long INDEX_EVENTS_PER_INT = 15;
  // A row of the sites, and the sums that it is made of.
  private static final long SITE_BYTES = 208;
  // Three call trees: a reference to each frame and, for each node, its node and that node.
  private static final long CALL_TREE_BYTES = 3 * 12;
  // Classes of frames, and of the stacks that end in a node.
  private static final long FRAME_BYTES = 9 + 3 * 4;
  private static final long NODE_BYTES = 8 + CALL_TREE_BYTES;

  // Copies of the chunks of a BFC allocator's run: see PoolStates.
  private static final long CHUNK_BYTES = 110;
  private static final long POOL_BYTES = 100_000 * CHUNK_BYTES;

  private AnalysisHeap() {}

  /** Bytes for the snapshot and its analyses. */
  public static long bytes(Snapshot snapshot) {
    long frames = snapshot.stacks().frames().size();
    long bytes =
        snapshot.stacks().heapBytes()
            + frames * FRAME_BYTES
            + snapshot.stacks().nodeCount() * NODE_BYTES;
    for (DeviceSnapshot device : snapshot.parts()) {
      long events = device.trace().size();
      long blocks = device.segments().stream().mapToLong(segment -> segment.blocks().size()).sum();
      bytes +=
          device.trace().heapBytes()
              + events * EVENT_BYTES
              + (events + blocks) * Integer.BYTES / INDEX_EVENTS_PER_INT
              + (segmentEvents(device.trace()) + device.segments().size()) * SEGMENT_EVENT_BYTES
              + (blocks + device.segments().size()) * BLOCK_BYTES
              + Math.min(frames, events + blocks) * SITE_BYTES
              + (device.facts().family().isBfc() ? Math.min(events * CHUNK_BYTES, POOL_BYTES) : 0);
    }
    return bytes;
  }

  private static long segmentEvents(Trace trace) {
    long count = 0;
    for (int event = 0; event < trace.size(); event++) {
      count += trace.action(event).isOfSegment() ? 1 : 0;
    }
    return count;
  }
}
