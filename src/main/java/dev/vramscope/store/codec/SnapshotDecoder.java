package dev.vramscope.store.codec;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import java.util.ArrayList;
import java.util.List;

/** Builds a snapshot from its blobs. */
public final class SnapshotDecoder {
  private final BlobSource source;

  private SnapshotDecoder(BlobSource source) {
    this.source = source;
  }

  /**
   * The snapshot that was encoded.
   *
   * @throws UnreadableBlobException when a blob is missing or damaged, naming it
   */
  public static Snapshot decode(BlobSource source) {
    return new SnapshotDecoder(source).decode();
  }

  private Snapshot decode() {
    HeadColumns head = HeadColumns.read(open(BlobKey.HEAD));
    StackTable stacks = stacks(head);
    List<DeviceSnapshot> devices = new ArrayList<>();
    for (int place = 0; place < head.devices().size(); place++) {
      devices.add(device(place, head.devices().get(place), stacks));
    }
    return new Snapshot(head.origin(), head.settings(), devices, stacks, head.findings());
  }

  private StackTable stacks(HeadColumns head) {
    StackTable.Builder stacks = new StackTable.Builder();
    for (int from = 0; from < head.frameCount(); from += StackColumns.ROWS) {
      int rows = Math.min(head.frameCount() - from, StackColumns.ROWS);
      ColumnReader in = open(new BlobKey(Part.FRAMES, 0, from / StackColumns.ROWS));
      StackColumns.readFrames(in, rows, stacks);
    }
    for (int from = 1; from < head.nodeCount(); from += StackColumns.ROWS) {
      int to = Math.min(head.nodeCount(), from + StackColumns.ROWS);
      ColumnReader in = open(new BlobKey(Part.STACKS, 0, from / StackColumns.ROWS));
      StackColumns.readNodes(in, from, to, stacks);
    }
    return stacks.build();
  }

  private DeviceSnapshot device(int place, HeadColumns.Device counts, StackTable stacks) {
    List<Segment> segments = new ArrayList<>();
    for (int chunk = 0; chunk < counts.segmentChunks(); chunk++) {
      ColumnReader in = open(new BlobKey(Part.SEGMENTS, place, chunk));
      SegmentColumns.read(in, stacks.nodeCount(), segments);
    }
    RareColumns rare = RareColumns.read(open(new BlobKey(Part.RARE, place, 0)));
    Trace.Builder trace = new Trace.Builder();
    for (int from = 0; from < counts.events(); from += EventColumns.ROWS) {
      int rows = Math.min(counts.events() - from, EventColumns.ROWS);
      ColumnReader in = open(new BlobKey(Part.EVENTS, place, from / EventColumns.ROWS));
      EventColumns.read(in, rows, rare.streams(), rare.pools(), trace);
    }
    rare.addTo(trace);
    return new DeviceSnapshot(counts.ordinal(), segments, trace.build(), rare.annotations());
  }

  private ColumnReader open(BlobKey key) {
    byte[] blob = source.get(key);
    if (blob == null) {
      throw new UnreadableBlobException(key, "it is missing");
    }
    return Seal.open(key, blob);
  }
}
