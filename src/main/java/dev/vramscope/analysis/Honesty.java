package dev.vramscope.analysis;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Finding;
import dev.vramscope.model.Snapshot;
import java.util.List;

/**
 * What a reader must know before trusting the pages of a device.
 *
 * @param findings gravest first
 */
public record Honesty(List<Finding> findings) {
  public Honesty {
    findings = List.copyOf(findings);
  }

  public static Honesty of(
      Snapshot snapshot, DeviceSnapshot device, Lifetimes lifetimes, ActiveBytes active) {
    return Unbuilt.value();
  }
}
