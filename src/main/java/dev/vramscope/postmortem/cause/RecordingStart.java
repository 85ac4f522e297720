package dev.vramscope.postmortem.cause;

import dev.vramscope.analysis.RecordedHistory;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;

/**
 * What a recording cannot show of the steps before a failure, because it began later or has no
 * stacks.
 *
 * @param liveBytes live memory at the failure that was allocated before the recording began
 * @param isWhole whether the allocator held nothing when the recording began
 * @param hasStacks whether some allocation before the failure has a stack
 * @param isDump whether nothing but this moment was recorded
 * @param isContradictory whether the segment events lead to other segments than those of the final
 *     state
 */
public record RecordingStart(
    long liveBytes, boolean isWhole, boolean hasStacks, boolean isDump, boolean isContradictory) {
  /** For a request that did not fail, whose causes do not depend on steps. */
  public static final RecordingStart NOTHING_UNSEEN =
      new RecordingStart(
          0,
          /* isWhole= */ true,
          /* hasStacks= */ true,
          /* isDump= */ false,
          /* isContradictory= */ false);

  public static RecordingStart of(DeviceSnapshot device, RecordedHistory history, int failure) {
    Trace trace = device.trace();
    Lifetimes lifetimes = history.lifetimes();
    long bytes = 0;
    for (int row = 0; row < lifetimes.liveBeforeCount(); row++) {
      bytes += lifetimes.isActiveAt(row, failure) ? lifetimes.bytes(row) : 0;
    }
    ActiveBytes active = history.active();
    boolean isWhole =
        active.isReservedKnown() && active.reservedAt(Lifetimes.BEFORE_RECORDING) == 0;
    boolean isContradictory =
        !active.isReservedKnown() && (!device.segments().isEmpty() || hasSegmentEvents(trace));
    return new RecordingStart(
        bytes,
        isWhole,
        hasStacks(trace, failure),
        device.kind() == RecordingKind.DUMP,
        isContradictory);
  }

  private static boolean hasStacks(Trace trace, int failure) {
    for (int event = 0; event < failure; event++) {
      if (trace.action(event) == TraceAction.ALLOC && trace.stack(event) != StackTable.NONE) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasSegmentEvents(Trace trace) {
    for (int event = 0; event < trace.size(); event++) {
      if (trace.action(event).isOfSegment()) {
        return true;
      }
    }
    return false;
  }
}
