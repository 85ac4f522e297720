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
   * @param peakEvent the first of its events after which it has the most active bytes
   * @param peakBytes active after that event
   * @param peakReservedBytes the most at one moment, or {@link ActiveBytes#UNKNOWN}
   * @param startBytes active before its first event
   * @param endBytes active after its last event
   * @param allocationCount allocations
   * @param allocatedBytes of these
   * @param acquireCount segments acquired and ranges mapped
   * @param acquiredBytes of these
   * @param releaseCount segments released and ranges unmapped
   * @param releasedBytes of these
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
      int peakEvent,
      long peakBytes,
      long peakReservedBytes,
      long startBytes,
      long endBytes,
      int allocationCount,
      long allocatedBytes,
      int acquireCount,
      long acquiredBytes,
      int releaseCount,
      long releasedBytes,
      int failureCount,
      int retryCount,
      long elapsedMicros) {
    /** Calls of the driver that acquire or release memory. */
    public int driverCalls() {
      return acquireCount + releaseCount;
    }

    /** More active bytes at its end than at its start; negative if there are fewer. */
    public long growthBytes() {
      return endBytes - startBytes;
    }

    public boolean isTimeKnown() {
      return elapsedMicros != Trace.NO_TIME;
    }
  }

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
