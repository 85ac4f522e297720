package dev.vramscope.format.export;

import dev.vramscope.model.Annotation;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.TextColumn;
import dev.vramscope.model.Trace;
import java.util.BitSet;

/**
 * About how many bytes a snapshot has in each format, so that a reader knows before a download
 * begins. The tables are extrapolated from some of their rows. The others follow from counts and
 * the bytes that an event, a frame or a block has on average; for more than a few KiB they are
 * right within a factor of two.
 */
public final class ExportSizes {
  private static final int FILE = 1_000;

  // Averages of the formats' bytes, measured with recordings of training and inference.
  private static final int PICKLED_EVENT = 44;
  private static final int PICKLED_TIME = 11;
  private static final int PICKLED_STACK_FRAME = 5;
  private static final int PICKLED_FRAME = 30;
  private static final int PICKLED_SEGMENT = 130;
  private static final int PICKLED_BLOCK = 60;
  private static final int PICKLED_MARK = 60;
  private static final int TEXT_REFERENCE = 3;
  private static final int PERFETTO_EVENT = 20;
  private static final int PERFETTO_SLICE = 190;
  private static final int PERFETTO_MARK = 100;

  private final Snapshot snapshot;
  private final BitSet stacks;
  private long events;
  private long eventsWithTime;
  private long texts;
  private long marks;
  private long markTexts;
  private long segments;
  private long blocks;
  private long frames;
  private long frameTexts;
  private long stackFrames;

  private ExportSizes(Snapshot snapshot) {
    this.snapshot = snapshot;
    stacks = new BitSet(snapshot.stacks().nodeCount());
    for (DeviceSnapshot part : snapshot.parts()) {
      count(part.trace());
      for (Annotation annotation : part.annotations()) {
        marks++;
        markTexts += annotation.name().length();
      }
      for (Segment segment : part.segments()) {
        segments++;
        blocks += segment.blocks().size();
      }
    }
    count(snapshot.stacks());
  }

  /** Counts what a snapshot has. */
  public static ExportSizes of(Snapshot snapshot) {
    return new ExportSizes(snapshot);
  }

  private void count(Trace trace) {
    events += trace.size();
    for (int event = 0; event < trace.size(); event++) {
      stacks.set(trace.stack(event));
      eventsWithTime += trace.timeMicros(event) == Trace.NO_TIME ? 0 : 1;
    }
    texts += length(trace.userMetadata()) + length(trace.compileContexts());
  }

  /** An event refers to its text, which is written once. */
  private static long length(TextColumn column) {
    return (long) TEXT_REFERENCE * column.count()
        + column.distinct().stream().mapToLong(String::length).sum();
  }

  /** The frames of the stacks of events; those of blocks alone are few. */
  private void count(StackTable table) {
    for (Frame frame : table.frames()) {
      frameTexts += frame.name().length() + frame.file().length();
    }
    frames = table.frames().size();
    long[] depths = new long[table.nodeCount()];
    for (int node = 1; node < depths.length; node++) {
      depths[node] = depths[table.parent(node)] + 1;
    }
    for (int stack = stacks.nextSetBit(1); stack >= 0; stack = stacks.nextSetBit(stack + 1)) {
      stackFrames += depths[stack];
    }
  }

  /** Bytes of {@link TorchPickleWriter#write}. */
  public long torchPickle() {
    return FILE
        + PICKLED_EVENT * events
        + PICKLED_TIME * eventsWithTime
        + texts
        + PICKLED_STACK_FRAME * stackFrames
        + PICKLED_FRAME * frames
        + frameTexts
        + PICKLED_SEGMENT * segments
        + PICKLED_BLOCK * blocks
        + PICKLED_MARK * marks
        + markTexts;
  }

  /**
   * Bytes of {@link dev.vramscope.format.export.perfetto.PerfettoWriter#write}.
   *
   * @param mostSlices the largest allocations that a device has in the file
   */
  public long perfetto(int mostSlices) {
    long slices = 0;
    for (DeviceSnapshot part : snapshot.parts()) {
      slices += Math.min(mostSlices, part.trace().size() / 2 + part.segments().size());
    }
    return FILE + PERFETTO_EVENT * events + PERFETTO_SLICE * slices + PERFETTO_MARK * marks;
  }

  /** Bytes of {@link ParquetWriter#write}. */
  public long parquet() {
    return ParquetSize.of(snapshot);
  }

  /** Bytes of {@link JsonLinesWriter#write}. */
  public long jsonLines() {
    return SampledSize.of(snapshot, JsonLinesWriter::write);
  }

  /** Bytes of {@link CsvWriter#write}. */
  public long csv() {
    return SampledSize.of(snapshot, CsvWriter::write);
  }
}
