package dev.vramscope.analysis.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.steps.StepTable.Steady;
import dev.vramscope.analysis.steps.StepTable.Step;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StepTableTest {
  private static final long MIB = 1 << 20;

  private final Trace.Builder trace = new Trace.Builder();

  @Test
  void aRequestAfterSteadyStepsBreaksThem() {
    for (int step = 1; step <= 8; step++) {
      if (step == 1) {
        trace.add(TraceAction.SEGMENT_ALLOC, 0, 20 * MIB);
      }
      if (step == 6) {
        trace.add(TraceAction.SEGMENT_FREE, 0, 20 * MIB);
        trace.add(TraceAction.SEGMENT_ALLOC, 0, 40 * MIB);
      }
      body();
    }
    StepTable table = table();
    assertThat(table.source()).isEqualTo(Steps.Source.PERIODICITY);
    assertThat(table.stepCount()).isEqualTo(8);
    assertThat(table.before()).isNull();
    assertThat(table.steady()).isEqualTo(new Steady(2, 5));
    assertThat(table.lastCalling()).isEqualTo(6);
    assertThat(table.callingCount()).isEqualTo(2);
    assertThat(table.isSteadyAtEnd()).isTrue();
    Step sixth = table.steps().get(5);
    assertThat(sixth.driverCalls()).isEqualTo(2);
    assertThat(sixth.retryCount()).isEqualTo(1);
    assertThat(sixth.growthBytes()).isZero();
    assertThat(sixth.peakBytes()).isEqualTo(3 * MIB);
    StepTable.Broken broken = Objects.requireNonNull(table.broken());
    assertThat(broken.step()).isEqualTo(6);
    assertThat(broken.event()).isEqualTo(sixth.window().from());
    assertThat(broken.requestEvent()).isEqualTo(broken.event() + 2);
    assertThat(broken.requestBytes()).isEqualTo(MIB);
    assertThat(broken.acquireCount()).isEqualTo(1);
    assertThat(broken.releaseCount()).isEqualTo(1);
  }

  @Test
  void stepsThatAllCallTheDriverAreNeverSteady() {
    for (int step = 1; step <= 6; step++) {
      trace.add(TraceAction.SEGMENT_ALLOC, 0, 20 * MIB);
      body();
      trace.add(TraceAction.SEGMENT_FREE, 0, 20 * MIB);
    }
    StepTable table = table();
    assertThat(table.steady()).isNull();
    assertThat(table.broken()).isNull();
    assertThat(table.isSteadyAtEnd()).isFalse();
    assertThat(table.callingCount()).isEqualTo(6);
  }

  @Test
  void withoutStepsTheTableIsEmpty() {
    trace.add(TraceAction.ALLOC, 0, MIB);
    StepTable table = table();
    assertThat(table.source()).isEqualTo(Steps.Source.NOT_FOUND);
    assertThat(table.steps()).isEmpty();
  }

  @Test
  void numbersAreThoseOfASlowRecount() {
    int found = 0;
    for (long seed = 1; seed <= 40; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Trace.Builder events = new Trace.Builder();
      int steps = 4 + random.nextInt(30);
      long address = 1 << 20;
      for (int step = 0; step < steps; step++) {
        if (random.nextInt(4) == 0) {
          events.add(TraceAction.SEGMENT_ALLOC, 0, 2 * MIB);
        }
        events.add(TraceAction.ALLOC, 0, 77);
        for (int i = 0; i < 6; i++) {
          events.add(TraceAction.ALLOC, address, 1000 + random.nextInt(9000));
          if (random.nextInt(9) == 0) {
            events.add(TraceAction.SEGMENT_FREE, 0, MIB);
          }
          if (random.nextInt(3) > 0) {
            events.add(TraceAction.FREE_COMPLETED, address, 0);
          }
          if (random.nextInt(20) == 0) {
            events.add(TraceAction.OOM, 0, MIB);
          }
          address += 10_000;
        }
        events.add(TraceAction.FREE_COMPLETED, 0, 77);
      }
      found += compare(seed, events.build());
    }
    assertThat(found).isGreaterThan(200);
  }

  /** Looks at all events of each step, and at all allocations after each event. */
  private static int compare(long seed, Trace trace) {
    DeviceSnapshot device = device(trace);
    Lifetimes lifetimes = Lifetimes.of(device);
    StepTable table = table(device);
    int next = table.before() == null ? 0 : table.before().window().to();
    for (Step step : table.steps()) {
      EventWindow window = step.window();
      assertThat(window.from()).as("seed %s, step %s", seed, step.number()).isEqualTo(next);
      next = window.to();
      long peak = Long.MIN_VALUE;
      for (int event = window.from(); event < window.to(); event++) {
        peak = Math.max(peak, live(lifetimes, event));
      }
      RangeEvents events = RangeEvents.of(trace, window);
      assertThat(step.peakBytes()).isEqualTo(peak).isEqualTo(live(lifetimes, step.peakEvent()));
      assertThat(step.startBytes()).isEqualTo(live(lifetimes, window.from() - 1));
      assertThat(step.endBytes()).isEqualTo(live(lifetimes, window.to() - 1));
      assertThat(step.driverCalls()).isEqualTo(events.driverCalls());
      assertThat(step.acquiredBytes()).isEqualTo(events.acquiredBytes());
      assertThat(step.releasedBytes()).isEqualTo(events.releasedBytes());
      assertThat(step.allocationCount()).isEqualTo(events.count(TraceAction.ALLOC));
      assertThat(step.failureCount()).isEqualTo(events.count(TraceAction.OOM));
    }
    if (table.stepCount() > 0) {
      assertThat(next).isEqualTo(trace.size());
    }
    assertThat(table.steady()).as("seed %s", seed).isEqualTo(longest(table.steps()));
    return table.stepCount();
  }

  private static @Nullable Steady longest(List<Step> steps) {
    Steady best = null;
    for (int from = 0; from < steps.size(); from++) {
      for (int to = from + 2; to <= steps.size(); to++) {
        boolean isSteady =
            steps.subList(from, to).stream().allMatch(step -> step.driverCalls() == 0);
        if (isSteady && (best == null || to - from > best.count())) {
          best = new Steady(from + 1, to);
        }
      }
    }
    return best;
  }

  private static long live(Lifetimes lifetimes, int event) {
    long bytes = 0;
    for (int row = 0; row < lifetimes.size(); row++) {
      bytes += lifetimes.isActiveAt(row, event) ? lifetimes.bytes(row) : 0;
    }
    return bytes;
  }

  private void body() {
    trace.add(TraceAction.ALLOC, 0x1000, MIB);
    trace.add(TraceAction.ALLOC, 0x20_0000, 2 * MIB);
    trace.add(TraceAction.FREE_COMPLETED, 0x20_0000, 2 * MIB);
    trace.add(TraceAction.FREE_COMPLETED, 0x1000, MIB);
  }

  private StepTable table() {
    return table(device(trace.build()));
  }

  private static StepTable table(DeviceSnapshot device) {
    ActiveBytes active = ActiveBytes.of(device, Lifetimes.of(device));
    return StepTable.of(Steps.of(StackTable.EMPTY, device, active), device, active);
  }

  private static DeviceSnapshot device(Trace trace) {
    return new DeviceSnapshot(0, List.of(), trace, List.of());
  }
}
