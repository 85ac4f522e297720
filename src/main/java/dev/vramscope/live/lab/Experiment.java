package dev.vramscope.live.lab;

import dev.vramscope.allocator.AllocatorInspection;
import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.live.AllocatorKind;
import dev.vramscope.model.BlockState;
import dev.vramscope.work.HeavyWork;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Runs a script on one side, and describes some of its steps. */
public final class Experiment {
  /** The most steps that are described at once. */
  public static final int MAX_STEPS = 200;

  /** With more blocks in the described segments than this, fewer steps are described. */
  private static final int MAX_BLOCKS = 20_000;

  private final LabAllocator side;

  private Experiment(Setup setup) {
    side = new LabAllocator(setup);
  }

  /**
   * Runs a script.
   *
   * @param from the operations before this one are not described
   * @param count of the described operations, at most {@link #MAX_STEPS}
   * @return the state after the first {@code from} operations, as a step that changes everything,
   *     and one step for each described operation: at least one, if there is one, and fewer than
   *     {@code count} if their segments have very many blocks
   * @throws dev.vramscope.allocator.caching.configuration.ConfigurationException if PyTorch would
   *     reject the settings
   * @throws dev.vramscope.live.HostingRefusedException if BFC's settings are rejected
   */
  public static List<Step> run(Setup setup, Script script, int from, int count) {
    Experiment experiment = new Experiment(setup);
    List<Operation> operations = script.operations();
    int start = Math.clamp(from, 0, operations.size());
    for (Operation operation : operations.subList(0, start)) {
      HeavyWork.checkpoint();
      experiment.side.apply(operation);
    }
    List<Step> steps = new ArrayList<>();
    List<SegmentView> state = experiment.side.segments();
    steps.add(experiment.opening(state));
    int end = Math.min(operations.size(), start + Math.clamp(count, 0, MAX_STEPS));
    int blocks = 0;
    for (Operation operation : operations.subList(start, end)) {
      if (blocks > MAX_BLOCKS) {
        break;
      }
      HeavyWork.checkpoint();
      Applied applied = experiment.side.apply(operation);
      List<SegmentView> next = experiment.side.segments();
      steps.add(experiment.step(operation, state, applied, next));
      state = next;
      blocks +=
          steps.getLast().changed().stream().mapToInt(segment -> segment.blocks().size()).sum();
    }
    return steps;
  }

  /**
   * Creates the allocator of a setup, and nothing else.
   *
   * @throws dev.vramscope.allocator.caching.configuration.ConfigurationException if PyTorch would
   *     reject the settings
   * @throws dev.vramscope.live.HostingRefusedException if BFC's settings are rejected
   */
  public static void requireAccepted(Setup setup) {
    new Experiment(setup).side.segments();
  }

  private Step opening(List<SegmentView> segments) {
    return new Step(
        /* isFailed= */ false,
        List.of(),
        List.of(),
        Optional.empty(),
        Applied.NO_ADDRESS,
        segments.stream().map(this::shownSegment).toList(),
        List.of(),
        List.of(),
        side.kernels().all(),
        totals(segments));
  }

  private Step step(
      Operation operation, List<SegmentView> before, Applied applied, List<SegmentView> after) {
    Reasons explained =
        switch (side.setup().kind()) {
          case CACHING -> new CachingReasons(side, before, applied, after);
          case BFC -> new BfcReasons(side, before, applied, after);
          case DIRECT -> new DirectReasons(side, before, applied, after);
        };
    List<Reason> reasons = new ArrayList<>(explained.of(operation));
    reasons.addAll(Hazards.of(side, after));
    boolean isRequest =
        operation instanceof Operation.Allocate
            && (applied.isFailed() || applied.address() != Applied.NO_ADDRESS);
    return new Step(
        applied.isFailed(),
        reasons,
        applied.attempts(),
        isRequest
            ? Optional.of(explained.search((Operation.Allocate) operation))
            : Optional.empty(),
        applied.address(),
        changed(before, after).stream().map(this::shownSegment).toList(),
        removed(before, after),
        applied.events(),
        side.kernels().all(),
        totals(after));
  }

  private static List<SegmentView> changed(List<SegmentView> before, List<SegmentView> after) {
    Map<Long, SegmentView> old = new HashMap<>();
    before.forEach(segment -> old.put(segment.address(), segment));
    return after.stream().filter(segment -> !segment.equals(old.get(segment.address()))).toList();
  }

  private static List<Long> removed(List<SegmentView> before, List<SegmentView> after) {
    Set<Long> keptAddresses = after.stream().map(SegmentView::address).collect(Collectors.toSet());
    return before.stream()
        .map(SegmentView::address)
        .filter(address -> !keptAddresses.contains(address))
        .toList();
  }

  private ShownSegment shownSegment(SegmentView segment) {
    boolean isBfc = side.setup().kind() == AllocatorKind.BFC;
    List<ShownBlock> blocks =
        segment.blocks().stream().map(block -> shownBlock(segment, block)).toList();
    return new ShownSegment(
        segment.address(),
        segment.bytes(),
        segment.stream(),
        pool(segment),
        segment.expandable(),
        segment.registration(),
        blocks,
        isBfc
            ? segment.blocks().stream().map(block -> BfcAllocator.binOf(block.bytes())).toList()
            : List.of());
  }

  private String pool(SegmentView segment) {
    return switch (side.setup().kind()) {
      case CACHING -> segment.large() ? "large" : "small";
      case BFC -> "region";
      case DIRECT -> "driver";
    };
  }

  private ShownBlock shownBlock(SegmentView segment, BlockView block) {
    boolean isActive = block.state().isActive();
    return new ShownBlock(
        block.address() - segment.address(),
        block.bytes(),
        block.state(),
        isActive ? side.idAt(block.address()) : ShownBlock.NO_ID,
        isActive ? block.requestedBytes() : 0,
        block.stream(),
        block.awaited());
  }

  private Totals totals(List<SegmentView> segments) {
    long free = 0;
    long largest = 0;
    for (SegmentView segment : segments) {
      for (BlockView block : segment.blocks()) {
        if (block.state() == BlockState.INACTIVE) {
          free += block.bytes();
          largest = Math.max(largest, block.bytes());
        }
      }
    }
    AllocatorInspection allocator = side.allocator().inspect();
    return new Totals(
        allocator.totals(),
        free,
        largest,
        free == 0 ? 0 : 1 - (double) largest / free,
        side.setup().deviceBytes(),
        side.device().memory().freeBytes(),
        side.externalBytes(),
        side.driverCalls(),
        side.retries());
  }
}
