package dev.vramscope.analysis;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.sites.Sites;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.uses.Uses;
import dev.vramscope.model.DeviceSnapshot;
import java.util.Set;

/** The sites of a device in a test. */
public final class DeviceSites {
  private DeviceSites() {}

  /** The sites, as if no block of the final state were pending free. */
  public static Sites of(DeviceSnapshot device, StackClasses stacks) {
    Lifetimes lifetimes = Lifetimes.of(device);
    Uses uses = Uses.of(lifetimes, stacks, device.trace().userMetadata());
    return Sites.of(lifetimes, ActiveBytes.of(device, lifetimes), stacks, uses, Set.of());
  }
}
