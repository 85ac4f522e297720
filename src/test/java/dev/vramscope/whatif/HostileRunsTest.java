package dev.vramscope.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.whatif.replays.WhatIf;
import dev.vramscope.whatif.replays.WhatIfRow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Traces that no allocator has written. */
class HostileRunsTest {
  private static final long[] SIZES = {
    -1, 0, 1, 512, 1 << 20, 3 << 20, 1L << 31, 1L << 33, 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE
  };
  private static final TraceAction[] ACTIONS = {
    TraceAction.ALLOC,
    TraceAction.ALLOC,
    TraceAction.ALLOC,
    TraceAction.FREE_REQUESTED,
    TraceAction.FREE_COMPLETED,
    TraceAction.SEGMENT_ALLOC,
    TraceAction.SEGMENT_FREE,
    TraceAction.SEGMENT_MAP,
    TraceAction.SEGMENT_UNMAP,
    TraceAction.OOM,
    TraceAction.SNAPSHOT
  };

  @Test
  void arbitraryEventsAreReplayedOnEveryAllocator() {
    for (int seed = 0; seed < 10; seed++) {
      Trace.Builder trace = arbitrary(new Random(seed));
      RecordedRun run = run(trace).withSteps(new int[] {100, 150, 300});
      for (DeviceSize size : List.of(DeviceSize.UNLIMITED, DeviceSize.of(64L << 20, 10 << 20))) {
        List<WhatIfRow> rows = new WhatIf(run, size, Combinations.usual("", true)).run(1);
        assertThat(rows).as("seed %d", seed).allMatch(row -> row instanceof WhatIfRow.Replayed);
        assertThat(Replay.run(run.onOneStream(), new Variant.Caching(""), size, new Progress()))
            .isNotNull();
      }
    }
  }

  private static Trace.Builder arbitrary(Random random) {
    Trace.Builder trace = new Trace.Builder();
    for (int i = 0; i < 400; i++) {
      TraceAction action = ACTIONS[random.nextInt(ACTIONS.length)];
      long bytes = SIZES[random.nextInt(SIZES.length)];
      int row = trace.add(action, 512L * random.nextInt(20), bytes);
      trace.stream(row, random.nextInt(3));
      if (random.nextInt(4) == 0) {
        trace.pool(row, new PoolId(random.nextInt(3), random.nextInt(2)));
      }
      if (action == TraceAction.OOM) {
        trace.oom(row, SIZES[random.nextInt(SIZES.length)], 1 << 20);
      }
    }
    return trace;
  }

  @Test
  void tooManyPoolsAreRefused() {
    Trace.Builder trace = new Trace.Builder();
    for (int i = 1; i <= ReplayLimits.DEFAULT.pools() + 1; i++) {
      trace.pool(trace.add(TraceAction.ALLOC, 512L * i, 512), new PoolId(i, 0));
    }
    assertThatThrownBy(() -> run(trace))
        .isInstanceOf(ReplayLimitException.class)
        .hasMessageContaining("65,537 private pools");
  }

  @Test
  void tooManyStreamsAreRefused() {
    Trace.Builder trace = new Trace.Builder();
    for (int i = 0; i <= ReplayLimits.DEFAULT.streams(); i++) {
      trace.stream(trace.add(TraceAction.ALLOC, 512L * i, 512), i);
    }
    assertThatThrownBy(() -> run(trace))
        .isInstanceOf(ReplayLimitException.class)
        .hasMessageContaining("65,536 streams");
  }

  /** A stream for each of them would be polled before each request. */
  @Test
  void freesThatNeverCompleteShareAStream() {
    Trace.Builder trace = new Trace.Builder();
    trace.add(TraceAction.ALLOC, 512, 512);
    trace.add(TraceAction.FREE_REQUESTED, 512, 512);
    trace.add(TraceAction.SNAPSHOT, 0, 0);
    trace.add(TraceAction.FREE_COMPLETED, 512, 512);
    for (int i = 2; i <= 100_000; i++) {
      trace.add(TraceAction.ALLOC, 512L * i, 512);
      trace.add(TraceAction.FREE_REQUESTED, 512L * i, 512);
    }
    RecordedRun run = run(trace);
    assertThat(run.streamCount()).isEqualTo(3);
    Outcome outcome =
        Replay.run(run, new Variant.Caching(""), DeviceSize.UNLIMITED, new Progress());
    assertThat(outcome.peakReservedBytes()).isGreaterThan(100_000L * 512);
  }

  /** Each failed request in a private pool asks for the state of the allocator. */
  @Test
  void manyFailuresAreDecodedInTime() {
    Trace.Builder trace = new Trace.Builder();
    trace.add(TraceAction.ALLOC, 512, 512);
    for (int i = 0; i < 100_000; i++) {
      int row = trace.add(TraceAction.OOM, 0, 1L << 40);
      trace.oom(row, 1L << 40, 0);
      trace.pool(row, new PoolId(1, 0));
    }
    long start = System.nanoTime();
    RecordedRun run = run(trace);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
    assertThat(run.operations()).isEqualTo(100_001);
    assertThat(run.notes()).anyMatch(note -> note.contains("99,800 failed requests"));
  }

  private static RecordedRun run(Trace.Builder trace) {
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    Snapshot snapshot =
        new Snapshot(
            new Origin("", "", Trace.NO_TIME),
            Optional.empty(),
            List.of(device),
            StackTable.EMPTY,
            List.of());
    return RecordedRun.of(snapshot, device);
  }
}
