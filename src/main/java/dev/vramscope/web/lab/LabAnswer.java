package dev.vramscope.web.lab;

import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.live.lab.Attempt;
import dev.vramscope.live.lab.Experiment;
import dev.vramscope.live.lab.Kernel;
import dev.vramscope.live.lab.Operation;
import dev.vramscope.live.lab.Reason;
import dev.vramscope.live.lab.Script;
import dev.vramscope.live.lab.Search;
import dev.vramscope.live.lab.Setup;
import dev.vramscope.live.lab.ShownBlock;
import dev.vramscope.live.lab.ShownSegment;
import dev.vramscope.live.lab.Step;
import dev.vramscope.live.lab.Totals;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some steps of an experiment. Addresses are strings.
 *
 * @param operationCount of the whole script
 * @param from the number of operations before the first described one
 * @param operations the described ones, one line each
 * @param sides one for each allocator
 */
record LabAnswer(int operationCount, int from, List<String> operations, List<LabSide> sides) {
  /**
   * The steps of one allocator.
   *
   * @param steps the state before the first described operation, as a step that changes everything;
   *     then one for each operation
   */
  record LabSide(List<LabStep> steps) {}

  /**
   * A step.
   *
   * @param changed the segments that are new or changed
   * @param removed the addresses of those that are gone
   */
  record LabStep(
      boolean failed,
      List<Reason> reasons,
      List<Attempt> attempts,
      @Nullable LabSearch search,
      @Nullable String address,
      List<LabSegment> changed,
      List<String> removed,
      List<LabEvent> events,
      List<LabKernel> kernels,
      LabNumbers totals) {}

  /** An event of the allocator, with its name in PyTorch's traces. */
  record LabEvent(String action, String address, long bytes, int stream) {}

  /**
   * The search of a request.
   *
   * @param chosen the address of the free block that served it
   * @param firstBin the first bin of a BFC allocator that was searched; -1 for other allocators
   */
  record LabSearch(
      long bytes, List<String> candidates, @Nullable String chosen, int firstBin, int lastBin) {}

  /**
   * A segment with its blocks.
   *
   * @param bins of a BFC allocator, one for each block
   */
  record LabSegment(
      String address,
      long bytes,
      int stream,
      String pool,
      boolean expandable,
      long registration,
      List<ShownBlock> blocks,
      List<Integer> bins) {}

  /** A running kernel. */
  record LabKernel(long number, int stream, long id, String address, long bytes) {}

  /** The numbers after a step. */
  record LabNumbers(
      long allocatedBytes,
      long requestedBytes,
      long activeBytes,
      long reservedBytes,
      long peakAllocatedBytes,
      long peakReservedBytes,
      long freeBytes,
      long largestFreeBytes,
      double fragmentation,
      long deviceBytes,
      long deviceFreeBytes,
      long externalBytes,
      long driverCalls,
      long retries,
      long outOfMemoryCount) {
    static LabNumbers of(Totals totals) {
      AllocatorTotals own = totals.allocated();
      return new LabNumbers(
          own.allocatedBytes(),
          own.requestedBytes(),
          own.activeBytes(),
          own.reservedBytes(),
          own.peakAllocatedBytes(),
          own.peakReservedBytes(),
          totals.freeBytes(),
          totals.largestFreeBytes(),
          totals.fragmentation(),
          totals.deviceBytes(),
          totals.deviceFreeBytes(),
          totals.externalBytes(),
          totals.driverCalls(),
          totals.retries(),
          own.outOfMemoryCount());
    }
  }

  static LabAnswer of(List<Setup> setups, Script script, int from, int count) {
    List<Operation> operations = script.operations();
    int first = Math.clamp(from, 0, operations.size());
    List<List<Step>> all = new ArrayList<>();
    for (Setup setup : setups) {
      all.add(Experiment.run(setup, script, first, count));
    }
    int described = all.stream().mapToInt(List::size).min().orElse(1) - 1;
    List<LabSide> sides =
        all.stream()
            .map(steps -> steps.subList(0, described + 1).stream().map(LabAnswer::view).toList())
            .map(LabSide::new)
            .toList();
    return new LabAnswer(
        operations.size(),
        first,
        operations.subList(first, first + described).stream().map(Operation::text).toList(),
        sides);
  }

  private static LabStep view(Step step) {
    return new LabStep(
        step.isFailed(),
        step.reasons(),
        step.attempts(),
        step.search().map(LabAnswer::search).orElse(null),
        step.address() < 0 ? null : hex(step.address()),
        step.changed().stream().map(LabAnswer::segment).toList(),
        step.removed().stream().map(LabAnswer::hex).toList(),
        step.events().stream()
            .map(
                each ->
                    new LabEvent(each.action(), hex(each.address()), each.bytes(), each.stream()))
            .toList(),
        step.kernels().stream().map(LabAnswer::kernel).toList(),
        LabNumbers.of(step.totals()));
  }

  private static LabSearch search(Search search) {
    return new LabSearch(
        search.bytes(),
        search.candidates().stream().map(LabAnswer::hex).toList(),
        search.chosen() == Search.NONE ? null : hex(search.chosen()),
        search.firstBin(),
        search.lastBin());
  }

  private static LabSegment segment(ShownSegment segment) {
    return new LabSegment(
        hex(segment.address()),
        segment.bytes(),
        segment.stream(),
        segment.pool(),
        segment.isExpandable(),
        segment.registration(),
        segment.blocks(),
        segment.bins());
  }

  private static LabKernel kernel(Kernel kernel) {
    return new LabKernel(
        kernel.number(), kernel.stream(), kernel.id(), hex(kernel.address()), kernel.bytes());
  }

  private static String hex(long address) {
    return "0x" + Long.toHexString(address);
  }
}
