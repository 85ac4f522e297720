package dev.vramscope.format.torch;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import java.util.ArrayList;
import java.util.List;

/** Formats a snapshot as lines of text, so that two snapshots can be compared. */
final class SnapshotContents {
  private SnapshotContents() {}

  static List<String> of(Snapshot snapshot) {
    List<String> lines = new ArrayList<>();
    lines.add(snapshot.origin().producer() + " " + snapshot.origin().captureMicros());
    lines.add("" + snapshot.settings());
    for (DeviceSnapshot device : snapshot.devices()) {
      device
          .segments()
          .forEach(
              segment -> {
                lines.add(
                    segment.address()
                        + " "
                        + segment.bytes()
                        + " "
                        + segment.stream()
                        + " "
                        + segment.kind()
                        + segment.pool()
                        + segment.expandable()
                        + " "
                        + snapshot.stacks().framesOf(segment.stack()));
                segment
                    .blocks()
                    .forEach(
                        block ->
                            lines.add(block + " " + snapshot.stacks().framesOf(block.stack())));
              });
      Trace trace = device.trace();
      for (int event = 0; event < trace.size(); event++) {
        lines.add(
            trace.event(event)
                + " "
                + trace.userMetadata().of(event)
                + " "
                + trace.compileContexts().of(event)
                + " "
                + trace.otherActions().of(event)
                + " "
                + snapshot.stacks().framesOf(trace.stack(event)));
      }
      lines.add(trace.ooms() + " " + device.annotations());
    }
    lines.add("" + snapshot.findings());
    return lines;
  }
}
