package dev.vramscope.analysis.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

class ActiveCurveTest {
  private static Trace trace(long seed, int events) {
    SplittableRandom random = new SplittableRandom(seed);
    Trace.Builder trace = new Trace.Builder();
    long micros = 1_000_000;
    long last = 0;
    for (int i = 0; i < events; i++) {
      boolean isFree = last != 0 && random.nextBoolean();
      TraceAction action = isFree ? TraceAction.FREE_COMPLETED : TraceAction.ALLOC;
      int row =
          trace.add(
              action,
              isFree ? last : 512L * (i + 1),
              isFree ? trace.bytes(i - 1) : 1 + random.nextLong(1000));
      last = isFree ? 0 : 512L * (i + 1);
      micros += random.nextLong(50);
      trace.timeMicros(row, micros);
    }
    return trace.build();
  }

  @Test
  void columnsHaveTheMaximumOfTheirEvents() {
    for (int seed = 1; seed <= 20; seed++) {
      Trace trace = trace(seed, 300);
      DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace, List.of());
      ActiveBytes active = ActiveBytes.of(device, Lifetimes.of(device));
      for (int width : new int[] {1, 7, 100, 1000}) {
        for (long span : new long[] {300, 900}) {
          ActiveCurve curve = ActiveCurve.byEvent(active, span, width);
          check(curve, active, width, span, event -> event);
        }
        long length = ActiveCurve.lengthMicros(trace);
        ActiveCurve curve = ActiveCurve.byTime(active, trace, length * 2, width);
        check(
            curve,
            active,
            width,
            length * 2,
            event -> trace.timeMicros(event) - trace.timeMicros(0));
      }
    }
  }

  private static void check(
      ActiveCurve curve, ActiveBytes active, int width, long span, IntToLongFunction position) {
    int last = ActiveCurve.column(position.applyAsLong(active.eventCount() - 1), span, width);
    assertThat(curve.size()).isEqualTo(last + 1);
    for (int column = 0; column <= last; column++) {
      long expected = -1;
      long held = active.baselineBytes();
      for (int event = 0; event < active.eventCount(); event++) {
        int at = ActiveCurve.column(position.applyAsLong(event), span, width);
        if (at < column) {
          held = active.at(event);
        } else if (at == column) {
          expected = Math.max(expected, active.at(event));
        }
      }
      // What is held when a column begins is part of it.
      assertThat(curve.maxBytes(column)).isEqualTo(Math.max(expected, held));
    }
  }

  @Test
  void eventsWithoutOrWithStrangeTimesStayInTheAxis() {
    Trace.Builder trace = new Trace.Builder();
    long[] times = {0, Long.MAX_VALUE, Trace.NO_TIME, -5, 10};
    for (int i = 0; i < times.length; i++) {
      trace.timeMicros(trace.add(TraceAction.ALLOC, 512L * (i + 1), 10), times[i]);
    }
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), List.of());
    ActiveBytes active = ActiveBytes.of(device, Lifetimes.of(device));
    ActiveCurve curve = ActiveCurve.byTime(active, device.trace(), 10, 8);
    assertThat(curve.size()).isEqualTo(8);
    assertThat(curve.maxBytes(7)).isEqualTo(50);
    assertThat(ActiveCurve.lengthMicros(device.trace())).isEqualTo(10);
    assertThat(ActiveCurve.lengthMicros(Trace.EMPTY)).isEqualTo(Trace.NO_TIME);
  }
}
