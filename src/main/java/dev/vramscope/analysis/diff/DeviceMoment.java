package dev.vramscope.analysis.diff;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.StackClasses;

/**
 * A device after an event.
 *
 * @param event the moment: after this event, or {@link Lifetimes#BEFORE_RECORDING}
 */
public record DeviceMoment(
    Lifetimes lifetimes, ActiveBytes active, StackClasses stacks, int event) {
  public DeviceMoment {
    if (event < Lifetimes.BEFORE_RECORDING || event >= active.eventCount()) {
      throw new IllegalArgumentException(
          "event " + event + " is not in a trace of " + active.eventCount() + " events");
    }
  }

  /** Requested bytes of the active allocations. */
  public long activeBytes() {
    return active.at(event);
  }
}
