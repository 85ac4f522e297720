package dev.vramscope.intake;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.vramscope.analysis.AnalysisHeap;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.Origin;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class AnalysisLimitTest {
  private static final int SITES = 200_000;

  @Test
  void rejectionNamesTheHeapThatSuffices() {
    Snapshot snapshot = snapshotOfManySites();
    long need = AnalysisHeap.bytes(snapshot);
    FormatException rejected =
        assertThrows(FormatException.class, () -> new AnalysisLimit(need).require(snapshot));
    assertEquals(Reason.TOO_LARGE, rejected.reason());
    assertTrue(rejected.where().contains("200,000 distinct frames"), rejected.where());
    Matcher heap = Pattern.compile("-Xmx(\\d+)m").matcher(rejected.next());
    assertTrue(heap.find(), rejected.next());
    long enough = Long.parseLong(heap.group(1)) << 20;
    assertDoesNotThrow(() -> new AnalysisLimit(enough).require(snapshot));
  }

  private static Snapshot snapshotOfManySites() {
    StackTable.Builder stacks = new StackTable.Builder();
    Trace.Builder trace = new Trace.Builder();
    for (int i = 0; i < SITES; i++) {
      int row = trace.add(TraceAction.ALLOC, 512L * i, 512);
      trace.stack(row, stacks.stack(List.of(new Frame("f" + i, "train.py", i))));
    }
    return new Snapshot(
        new Origin("test", "test", Trace.NO_TIME),
        Optional.empty(),
        List.of(new DeviceSnapshot(0, List.of(), trace.build(), List.of())),
        stacks.build(),
        List.of());
  }
}
