package dev.vramscope.store.codec;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Decodes a snapshot from its blobs. */
public final class SnapshotDecoder {
  /** Chunks of events that are decoded at a time: 0.5 million events, 20 MB. */
  private static final int BATCH = 8;

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
    return new Snapshot(
        head.origin(),
        head.settings(),
        devices.stream().filter(device -> !device.isPinnedHost()).toList(),
        devices.stream().filter(DeviceSnapshot::isPinnedHost).findFirst(),
        stacks,
        head.findings());
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
    for (int from = 0; from < counts.events(); from += BATCH * EventColumns.ROWS) {
      addEvents(index, from, counts.events(), sparse, trace);
    }
    sparse.addTo(trace);
    return new DeviceSnapshot(
        counts.ordinal(), segments, trace.build(), sparse.annotations(), counts.facts());
  }

  /** Decodes the next chunks of events, at most {@link #BATCH}, on all cores. */
  private void addEvents(
      int device, int from, int events, SparseColumns sparse, Trace.Builder trace) {
    List<Supplier<Trace.Builder>> chunks = new ArrayList<>();
    for (int first = from; first < events && chunks.size() < BATCH; first += EventColumns.ROWS) {
      BlobKey key = new BlobKey(BlobPart.EVENTS, device, first / EventColumns.ROWS);
      // Blobs are read by this thread: its transaction belongs to it.
      byte[] blob = blob(key);
      int rows = Math.min(events - first, EventColumns.ROWS);
      chunks.add(() -> decode(key, blob, rows, sparse));
    }
    chunks.parallelStream().map(Supplier::get).toList().forEach(trace::append);
  }

  private static Trace.Builder decode(BlobKey key, byte[] blob, int rows, SparseColumns sparse) {
    Trace.Builder trace = new Trace.Builder();
    EventColumns.read(BlobFormat.decode(key, blob), rows, sparse.streams(), sparse.pools(), trace);
    return trace;
  }

  private ColumnReader open(BlobKey key) {
    return BlobFormat.decode(key, blob(key));
  }

  private byte[] blob(BlobKey key) {
    byte[] blob = source.get(key);
    if (blob == null) {
      throw new UnreadableBlobException(key, "it is missing");
    }
    return blob;
  }
}
