package dev.vramscope.analysis.steps;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Trace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a program with what each does to the memory, and from which step on the driver is
 * not called any more. Bytes are requested sizes, except those of segments.
 *
 * @param source how the steps were found
 * @param before the events before the first step, number 0; null if there are none
 * @param steps the first steps in order, at most {@link #MAX_STEPS}; the last of all may be
 *     incomplete
 * @param stepCount all steps
 * @param callingCount steps with driver calls
 * @param steady the longest sequence of steps without a driver call, or null if there are not two
 *     such steps in a row
 * @param broken why that sequence ends, or null if it ends with the recording
 * @param lastCalling the last step with a driver call; 0 if there is none
 */
public record StepTable(
    Steps.Source source,
    @Nullable Step before,
    List<Step> steps,
    int stepCount,
    int callingCount,
    @Nullable Steady steady,
    @Nullable Broken broken,
    int lastCalling) {
  /** Bounds the heap: a file may allocate in a pattern that recurs every second allocation. */
  public static final int MAX_STEPS = 100_000;

  public StepTable {
    steps = List.copyOf(steps);
  }

  /** Measures the steps of a device's trace. */
  public static StepTable of(Steps steps, DeviceSnapshot device, ActiveBytes active) {
    return new StepScan(steps, device.trace(), active).run();
  }

  /**
   * One step.
   *
   * @param number from 1
   * @param window its events, at least one
   * @param isComplete whether another step follows
   * @param active its active bytes
   * @param peakReservedBytes the most at one moment, or {@link ActiveBytes#UNKNOWN}
   * @param allocated allocations
   * @param acquired segments acquired and ranges mapped
   * @param released segments released and ranges unmapped
   * @param failureCount failed requests
   * @param retryCount requests directly before which memory was released and then acquired, or that
   *     failed after a release. Estimated: a retry that finds nothing to release leaves no event,
   *     and a program that empties the cache before such a request looks the same
   * @param elapsedMicros from its first event to its last one, or {@link Trace#NO_TIME}
   */
  public record Step(
      int number,
      EventWindow window,
      boolean isComplete,
      Active active,
      long peakReservedBytes,
      Calls allocated,
      Calls acquired,
      Calls released,
      int failureCount,
      int retryCount,
      long elapsedMicros) {
    /** Calls of the driver that acquire or release memory. */
    public int driverCalls() {
      return acquired.count() + released.count();
    }

    /** More active bytes at its end than at its start; negative if there are fewer. */
    public long growthBytes() {
      return active.endBytes() - active.startBytes();
    }

    // The columns of the page.

    public long startBytes() {
      return active.startBytes();
    }

    public long endBytes() {
      return active.endBytes();
    }

    public int peakEvent() {
      return active.peakEvent();
    }

    public long peakBytes() {
      return active.peakBytes();
    }

    public int allocationCount() {
      return allocated.count();
    }

    public long allocatedBytes() {
      return allocated.bytes();
    }

    public int acquireCount() {
      return acquired.count();
    }

    public long acquiredBytes() {
      return acquired.bytes();
    }

    public int releaseCount() {
      return released.count();
    }

    public long releasedBytes() {
      return released.bytes();
    }

    public boolean isTimeKnown() {
      return elapsedMicros != Trace.NO_TIME;
    }
  }

  /**
   * The active bytes of a step.
   *
   * @param startBytes before its first event
   * @param endBytes after its last event
   * @param peakEvent the first of its events after which it has the most
   * @param peakBytes after that event
   */
  public record Active(long startBytes, long endBytes, int peakEvent, long peakBytes) {}

  /** Calls of one kind, and the bytes of all of them. */
  public record Calls(int count, long bytes) {}

  /** Steps without a driver call, by number. */
  public record Steady(int first, int last) {
    public int count() {
      return last - first + 1;
    }
  }

  /**
   * The first driver calls after the steady steps.
   *
   * @param step the number of the step
   * @param event the first driver call
   * @param requestEvent the allocation or failed request that they serve, or -1 if memory was
   *     released without a request
   * @param requestBytes of that request, or {@link ActiveBytes#UNKNOWN}
   * @param stack of that request or, if it has none, of the first driver call; 0 if not recorded
   * @param acquireCount segments acquired and ranges mapped for it
   * @param releaseCount segments released and ranges unmapped before it
   */
  public record Broken(
      int step,
      int event,
      int requestEvent,
      long requestBytes,
      int stack,
      int acquireCount,
      int releaseCount) {
    public boolean hasRequest() {
      return requestEvent >= 0;
    }
  }

  /** Whether the last steps, at least two, do not call the driver. */
  public boolean isSteadyAtEnd() {
    return stepCount - lastCalling >= StepScan.LEAST_STEADY;
  }

  /** Whether steps are left out of {@link #steps}. */
  public boolean isPart() {
    return steps.size() < stepCount;
  }
}
