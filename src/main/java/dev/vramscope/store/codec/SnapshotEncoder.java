package dev.vramscope.store.codec;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import java.util.ArrayList;
import java.util.List;

/** Encodes a snapshot into blobs, one at a time, so that only one is in memory. */
public final class SnapshotEncoder {
  private final BlobSink sink;
  private final ColumnWriter columns = new ColumnWriter();

  private SnapshotEncoder(BlobSink sink) {
    this.sink = sink;
  }

  /** Passes the blobs of a snapshot to {@code sink}; the head comes last. */
  public static void encode(Snapshot snapshot, BlobSink sink) {
    new SnapshotEncoder(sink).encode(snapshot);
  }

  private void encode(Snapshot snapshot) {
    encodeStacks(snapshot.stacks());
    List<HeadColumns.Device> devices = new ArrayList<>();
    List<DeviceSnapshot> parts = snapshot.parts();
    for (int index = 0; index < parts.size(); index++) {
      DeviceSnapshot device = parts.get(index);
      int segmentChunks = encodeSegments(index, device.segments());
      encodeTrace(index, device);
      devices.add(
          new HeadColumns.Device(
              device.ordinal(), segmentChunks, device.trace().size(), device.facts()));
    }
    new HeadColumns(
            snapshot.origin(),
            snapshot.settings(),
            snapshot.findings(),
            snapshot.stacks().frames().size(),
            snapshot.stacks().nodeCount(),
            devices)
        .write(columns);
    emit(BlobKey.HEAD);
  }

  private void encodeStacks(StackTable stacks) {
    int frames = stacks.frames().size();
    for (int from = 0; from < frames; from += StackColumns.ROWS) {
      int to = Math.min(frames, from + StackColumns.ROWS);
      StackColumns.writeFrames(stacks.frames().subList(from, to), columns);
      emit(new BlobKey(BlobPart.FRAMES, 0, from / StackColumns.ROWS));
    }
    // Node 0 is the root, which always exists.
    for (int from = 1; from < stacks.nodeCount(); from += StackColumns.ROWS) {
      int to = Math.min(stacks.nodeCount(), from + StackColumns.ROWS);
      StackColumns.writeNodes(stacks, from, to, columns);
      emit(new BlobKey(BlobPart.STACKS, 0, from / StackColumns.ROWS));
    }
  }

  private int encodeSegments(int index, List<Segment> segments) {
    int chunk = 0;
    for (int from = 0; from < segments.size(); chunk++) {
      from = SegmentColumns.write(segments, from, columns);
      emit(new BlobKey(BlobPart.SEGMENTS, index, chunk));
    }
    return chunk;
  }

  private void encodeTrace(int index, DeviceSnapshot device) {
    Trace trace = device.trace();
    ValueDictionary<Long> streams = new ValueDictionary<>();
    ValueDictionary<PoolId> pools = new ValueDictionary<>();
    EventColumns events = new EventColumns();
    for (int from = 0; from < trace.size(); from += EventColumns.ROWS) {
      int to = Math.min(trace.size(), from + EventColumns.ROWS);
      events.write(trace, from, to, streams, pools, columns);
      emit(new BlobKey(BlobPart.EVENTS, index, from / EventColumns.ROWS));
    }
    SparseColumns.write(device, streams.values(), pools.values(), columns);
    emit(new BlobKey(BlobPart.SPARSE, index, 0));
  }

  private void emit(BlobKey key) {
    sink.accept(key, BlobFormat.encode(columns));
    columns.clear();
  }
}
