package dev.vramscope.analysis;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/** A random program on one expandable segment, which records the mapped pages after each event. */
public final class ExpandableModel {
  private static final long PAGE = 2 << 20;
  private static final long BASE = 0x7f10_0000_0000L;
  private static final int PAGES = 24;

  private final SplittableRandom random;
  private final boolean[] mapped = new boolean[PAGES];
  private final List<long[]> live = new ArrayList<>();
  private final Trace.Builder trace = new Trace.Builder();
  private final List<boolean[]> states = new ArrayList<>();

  private ExpandableModel(SplittableRandom random) {
    this.random = random;
  }

  public static ExpandableModel of(long seed, int steps) {
    ExpandableModel model = new ExpandableModel(new SplittableRandom(seed));
    for (int step = 0; step < steps; step++) {
      switch (model.random.nextInt(8)) {
        case 0 -> model.changePages(true);
        case 1 -> model.changePages(false);
        case 2, 3, 4, 5 -> model.allocate();
        default -> model.free();
      }
    }
    return model;
  }

  private void changePages(boolean map) {
    int first = random.nextInt(PAGES);
    int last = Math.min(PAGES, first + 1 + random.nextInt(5));
    for (int page = first; page < last; page++) {
      if (mapped[page] == map || (!map && isUsed(page))) {
        return;
      }
    }
    for (int page = first; page < last; page++) {
      mapped[page] = map;
    }
    record(
        map ? TraceAction.SEGMENT_MAP : TraceAction.SEGMENT_UNMAP,
        BASE + first * PAGE,
        (last - first) * PAGE);
  }

  private boolean isUsed(int page) {
    long start = BASE + page * PAGE;
    return live.stream().anyMatch(block -> block[0] < start + PAGE && block[0] + block[1] > start);
  }

  private void allocate() {
    long bytes = 512L * (1 + random.nextInt(random.nextBoolean() ? 20 : 9000));
    for (long[] run : runs(mapped)) {
      long cursor = run[0];
      for (long[] block : live.stream().filter(each -> each[0] >= run[0]).toList()) {
        if (block[0] >= run[1] || block[0] - cursor >= bytes) {
          break;
        }
        cursor = block[0] + block[1];
      }
      if (cursor + bytes <= run[1]) {
        live.add(new long[] {cursor, bytes});
        live.sort(Comparator.comparingLong(block -> block[0]));
        record(TraceAction.ALLOC, cursor, bytes);
        return;
      }
    }
  }

  private void free() {
    if (!live.isEmpty()) {
      long[] block = live.remove(random.nextInt(live.size()));
      record(TraceAction.FREE_REQUESTED, block[0], block[1]);
      record(TraceAction.FREE_COMPLETED, block[0], block[1]);
    }
  }

  private void record(TraceAction action, long address, long bytes) {
    trace.add(action, address, bytes);
    states.add(mapped.clone());
  }

  private static List<long[]> runs(boolean[] pages) {
    List<long[]> runs = new ArrayList<>();
    for (int page = 0; page < PAGES; page++) {
      if (pages[page]) {
        long start = BASE + page * PAGE;
        while (page < PAGES && pages[page]) {
          page++;
        }
        runs.add(new long[] {start, BASE + page * PAGE});
      }
    }
    return runs;
  }

  public int eventCount() {
    return states.size();
  }

  /** The mapped runs after an event, as [start, end). */
  public List<long[]> runs(int event) {
    return runs(states.get(event));
  }

  public DeviceSnapshot snapshot() {
    List<Segment> segments = new ArrayList<>();
    for (long[] run : runs(mapped)) {
      List<Block> blocks = new ArrayList<>();
      long cursor = run[0];
      for (long[] block : live) {
        if (block[0] >= run[0] && block[0] < run[1]) {
          addFree(blocks, cursor, block[0]);
          blocks.add(
              new Block(block[0], block[1], block[1], BlockState.ALLOCATED, StackTable.NONE));
          cursor = block[0] + block[1];
        }
      }
      addFree(blocks, cursor, run[1]);
      segments.add(
          new Segment(
              run[0],
              run[1] - run[0],
              0,
              PoolKind.LARGE,
              PoolId.DEFAULT,
              true,
              StackTable.NONE,
              blocks));
    }
    return new DeviceSnapshot(0, segments, trace.build(), List.of());
  }

  private static void addFree(List<Block> blocks, long from, long to) {
    if (from < to) {
      blocks.add(new Block(from, to - from, Block.UNKNOWN, BlockState.INACTIVE, StackTable.NONE));
    }
  }
}
