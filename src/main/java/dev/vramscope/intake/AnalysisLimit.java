package dev.vramscope.intake;

import dev.vramscope.analysis.AnalysisHeap;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import java.util.Locale;

/**
 * Rejects a snapshot that could be read but not analysed in a heap of this size, so that every
 * stored snapshot has its pages.
 */
record AnalysisLimit(long heapBytes) {
  // The rest is for the server itself and for the garbage collector.
  private static final int PERCENT = 75;
  private static final long MIB = 1 << 20;
  private static final long STEP = 64 * MIB;

  static AnalysisLimit ofThisHeap() {
    return new AnalysisLimit(Runtime.getRuntime().maxMemory());
  }

  void require(Snapshot snapshot) throws FormatException {
    long need = AnalysisHeap.bytes(snapshot);
    if (need <= heapBytes / 100 * PERCENT) {
      return;
    }
    long enough = Math.ceilDiv(need * 100 / PERCENT, STEP) * STEP;
    throw new FormatException(
        Reason.TOO_LARGE,
        String.format(
            Locale.ROOT,
            "the analyses need about %,d MiB of Java heap; the server has %,d MiB, of which they"
                + " may use %d %%",
            need / MIB,
            heapBytes / MIB,
            PERCENT),
        contents(snapshot),
        "Start the server with -Xmx" + enough / MIB + "m, or record fewer events (max_entries).");
  }

  private static String contents(Snapshot snapshot) {
    long events = 0;
    long blocks = 0;
    for (DeviceSnapshot device : snapshot.parts()) {
      events += device.trace().size();
      blocks += device.segments().stream().mapToLong(segment -> segment.blocks().size()).sum();
    }
    return String.format(
        Locale.ROOT,
        "%,d events, %,d blocks, %,d distinct frames",
        events,
        blocks,
        snapshot.stacks().frames().size());
  }
}
