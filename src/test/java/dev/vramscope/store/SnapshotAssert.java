package dev.vramscope.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.TextColumn;
import dev.vramscope.model.Trace;
import java.util.ArrayList;
import java.util.List;

/** Compares snapshots value by value, because columns have no {@code equals}. */
public final class SnapshotAssert {
  private SnapshotAssert() {}

  public static void assertSame(Snapshot expected, Snapshot actual, String message) {
    assertEquals(expected.origin(), actual.origin(), message);
    assertEquals(expected.settings(), actual.settings(), message);
    assertEquals(expected.findings(), actual.findings(), message);
    assertSame(expected.stacks(), actual.stacks(), message);
    assertEquals(expected.parts().size(), actual.parts().size(), message);
    for (int index = 0; index < expected.parts().size(); index++) {
      assertSame(expected.parts().get(index), actual.parts().get(index), message);
    }
  }

  private static void assertSame(StackTable expected, StackTable actual, String message) {
    assertEquals(expected.frames(), actual.frames(), message);
    assertEquals(expected.nodeCount(), actual.nodeCount(), message);
    for (int node = 1; node < expected.nodeCount(); node++) {
      assertEquals(expected.parent(node), actual.parent(node), message);
      assertEquals(expected.frameNumber(node), actual.frameNumber(node), message);
    }
  }

  private static void assertSame(DeviceSnapshot expected, DeviceSnapshot actual, String message) {
    assertEquals(expected.ordinal(), actual.ordinal(), message);
    assertEquals(expected.facts(), actual.facts(), message);
    assertEquals(expected.segments(), actual.segments(), message);
    assertEquals(expected.annotations(), actual.annotations(), message);
    Trace trace = expected.trace();
    assertEquals(trace.size(), actual.trace().size(), message);
    for (int event = 0; event < trace.size(); event++) {
      assertEquals(trace.event(event), actual.trace().event(event), message);
    }
    assertEquals(trace.ooms(), actual.trace().ooms(), message);
    assertEquals(rows(trace.userMetadata()), rows(actual.trace().userMetadata()), message);
    assertEquals(rows(trace.compileContexts()), rows(actual.trace().compileContexts()), message);
    assertEquals(rows(trace.otherActions()), rows(actual.trace().otherActions()), message);
  }

  private static List<String> rows(TextColumn column) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < column.count(); i++) {
      rows.add(column.row(i) + " " + column.text(i));
    }
    return rows;
  }
}
