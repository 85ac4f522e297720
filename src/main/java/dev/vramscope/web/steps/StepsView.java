package dev.vramscope.web.steps;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.steps.StepTable;
import dev.vramscope.analysis.steps.Steps;
import dev.vramscope.web.request.Slice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a device in JSON.
 *
 * @param source how the steps were found
 * @param stepCount all steps of the recording
 * @param callingCount steps with driver calls
 * @param steady the longest sequence of steps without driver calls, null if there are not two such
 *     steps in a row
 * @param broken what ends that sequence; null if nothing does
 * @param steadyFrom the step from which on no step calls the driver; null if the last step or the
 *     one before it does
 * @param before the events before the first step, or null
 * @param offset the position of the first row in the list of all steps
 * @param total number of steps that can be listed
 * @param nextOffset the offset of the rows that follow, or null
 */
record StepsView(
    int device,
    Steps.Source source,
    int stepCount,
    int callingCount,
    StepTable.@Nullable Steady steady,
    @Nullable Broken broken,
    @Nullable Integer steadyFrom,
    @Nullable Step before,
    List<Step> rows,
    int offset,
    int total,
    @Nullable Integer nextOffset) {
  /**
   * A step; see {@link StepTable.Step}. Its events are {@code from} to {@code to}, exclusive; what
   * is unknown is null.
   */
  public record Step(
      int number,
      int from,
      int to,
      boolean isComplete,
      int peakEvent,
      long peakBytes,
      @Nullable Long peakReservedBytes,
      long startBytes,
      long endBytes,
      long growthBytes,
      int allocationCount,
      long allocatedBytes,
      int acquireCount,
      long acquiredBytes,
      int releaseCount,
      long releasedBytes,
      int failureCount,
      int retryCount,
      @Nullable Long elapsedMicros) {
    static Step of(StepTable.Step step) {
      return new Step(
          step.number(),
          step.window().from(),
          step.window().to(),
          step.isComplete(),
          step.peakEvent(),
          step.peakBytes(),
          step.peakReservedBytes() == ActiveBytes.UNKNOWN ? null : step.peakReservedBytes(),
          step.startBytes(),
          step.endBytes(),
          step.growthBytes(),
          step.allocationCount(),
          step.allocatedBytes(),
          step.acquireCount(),
          step.acquiredBytes(),
          step.releaseCount(),
          step.releasedBytes(),
          step.failureCount(),
          step.retryCount(),
          step.isTimeKnown() ? step.elapsedMicros() : null);
    }
  }

  /** See {@link StepTable.Broken}; {@code stack} is 0 if none was recorded. */
  public record Broken(
      int step,
      int event,
      @Nullable Integer requestEvent,
      @Nullable Long requestBytes,
      int stack,
      int acquireCount,
      int releaseCount) {}

  static StepsView of(StepTable table, StepOrder order, int device, int offset, int limit) {
    Slice<StepTable.Step> slice = Slice.of(order.sorted(table.steps()), offset, limit);
    StepTable.Broken broken = table.broken();
    StepTable.Step before = table.before();
    return new StepsView(
        device,
        table.source(),
        table.stepCount(),
        table.callingCount(),
        table.steady(),
        broken == null
            ? null
            : new Broken(
                broken.step(),
                broken.event(),
                broken.hasRequest() ? broken.requestEvent() : null,
                broken.hasRequest() ? broken.requestBytes() : null,
                broken.stack(),
                broken.acquireCount(),
                broken.releaseCount()),
        table.isSteadyAtEnd() ? table.lastCalling() + 1 : null,
        before == null ? null : Step.of(before),
        slice.rows().stream().map(Step::of).toList(),
        slice.offset(),
        slice.total(),
        slice.next());
  }
}
