package dev.vramscope.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.TextColumn;
import dev.vramscope.model.Trace;
import java.util.ArrayList;
import java.util.List;

/** Equality of snapshots, fact by fact: their columns have no {@code equals}. */
public final class SnapshotAssert {
  private SnapshotAssert() {}

  public static void assertSame(Snapshot expected, Snapshot actual, String of) {
    assertEquals(expected.origin(), actual.origin(), of);
    assertEquals(expected.settings(), actual.settings(), of);
    assertEquals(expected.findings(), actual.findings(), of);
    assertSame(expected.stacks(), actual.stacks(), of);
    assertEquals(expected.devices().size(), actual.devices().size(), of);
    for (int place = 0; place < expected.devices().size(); place++) {
      assertSame(expected.devices().get(place), actual.devices().get(place), of);
    }
  }

  private static void assertSame(StackTable expected, StackTable actual, String of) {
    assertEquals(expected.frames(), actual.frames(), of);
    assertEquals(expected.nodeCount(), actual.nodeCount(), of);
    for (int node = 1; node < expected.nodeCount(); node++) {
      assertEquals(expected.parent(node), actual.parent(node), of);
      assertEquals(expected.frameNumber(node), actual.frameNumber(node), of);
    }
  }

  private static void assertSame(DeviceSnapshot expected, DeviceSnapshot actual, String of) {
    assertEquals(expected.ordinal(), actual.ordinal(), of);
    assertEquals(expected.segments(), actual.segments(), of);
    assertEquals(expected.annotations(), actual.annotations(), of);
    Trace trace = expected.trace();
    assertEquals(trace.size(), actual.trace().size(), of);
    for (int event = 0; event < trace.size(); event++) {
      assertEquals(trace.event(event), actual.trace().event(event), of);
    }
    assertEquals(trace.ooms(), actual.trace().ooms(), of);
    assertEquals(rows(trace.userMetadata()), rows(actual.trace().userMetadata()), of);
    assertEquals(rows(trace.compileContexts()), rows(actual.trace().compileContexts()), of);
    assertEquals(rows(trace.otherActions()), rows(actual.trace().otherActions()), of);
  }

  private static List<String> rows(TextColumn column) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < column.count(); i++) {
      rows.add(column.row(i) + " " + column.text(i));
    }
    return rows;
  }
}
