package dev.vramscope.store.codec;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import java.util.ArrayList;
import java.util.List;

/** Decodes a snapshot from its blobs. */
public final class SnapshotDecoder {
  private final BlobSource source;

  private SnapshotDecoder(BlobSource source) {
    this.source = source;
  }

  /**
   * Decodes a snapshot.
   *
   * @throws UnreadableBlobException if a blob is missing or damaged, with its key
   */
  public static Snapshot decode(BlobSource source) {
    return new SnapshotDecoder(source).decode();
  }

  private Snapshot decode() {
    HeadColumns head = HeadColumns.read(open(BlobKey.HEAD));
    StackTable stacks = stacks(head);
    List<DeviceSnapshot> devices = new ArrayList<>();
    for (int index = 0; index < head.devices().size(); index++) {
      devices.add(device(index, head.devices().get(index), stacks));
    }
    return new Snapshot(head.origin(), head.settings(), devices, stacks, head.findings());
  }

  private StackTable stacks(HeadColumns head) {
    StackTable.Builder stacks = new StackTable.Builder();
    for (int from = 0; from < head.frameCount(); from += StackColumns.ROWS) {
      int rows = Math.min(head.frameCount() - from, StackColumns.ROWS);
      ColumnReader in = open(new BlobKey(BlobPart.FRAMES, 0, from / StackColumns.ROWS));
      StackColumns.readFrames(in, rows, stacks);
    }
    for (int from = 1; from < head.nodeCount(); from += StackColumns.ROWS) {
      int to = Math.min(head.nodeCount(), from + StackColumns.ROWS);
      ColumnReader in = open(new BlobKey(BlobPart.STACKS, 0, from / StackColumns.ROWS));
      StackColumns.readNodes(in, from, to, stacks);
    }
    return stacks.build();
  }

  private DeviceSnapshot device(int index, HeadColumns.Device counts, StackTable stacks) {
    List<Segment> segments = new ArrayList<>();
    for (int chunk = 0; chunk < counts.segmentChunks(); chunk++) {
      ColumnReader in = open(new BlobKey(BlobPart.SEGMENTS, index, chunk));
      SegmentColumns.read(in, stacks.nodeCount(), segments);
    }
    SparseColumns sparse = SparseColumns.read(open(new BlobKey(BlobPart.SPARSE, index, 0)));
    Trace.Builder trace = new Trace.Builder();
    for (int from = 0; from < counts.events(); from += EventColumns.ROWS) {
      int rows = Math.min(counts.events() - from, EventColumns.ROWS);
      ColumnReader in = open(new BlobKey(BlobPart.EVENTS, index, from / EventColumns.ROWS));
      EventColumns.read(in, rows, sparse.streams(), sparse.pools(), trace);
    }
    sparse.addTo(trace);
    return new DeviceSnapshot(
        counts.ordinal(), segments, trace.build(), sparse.annotations(), counts.facts());
  }

  private ColumnReader open(BlobKey key) {
    byte[] blob = source.get(key);
    if (blob == null) {
      throw new UnreadableBlobException(key, "it is missing");
    }
    return BlobFormat.decode(key, blob);
  }
}
