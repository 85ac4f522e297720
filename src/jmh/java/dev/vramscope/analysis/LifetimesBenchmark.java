package dev.vramscope.analysis;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.analysis.lifetimes.EventWindow;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.timeline.ActiveTimeline;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.SizeRules;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Computes lifetimes, bytes over time, timelines and a state from a trace of a million events. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class LifetimesBenchmark {
  private static final int EVENTS = 1_000_000;

  private final DeviceSnapshot device = TrainingTrace.of(EVENTS, 1);
  private final Lifetimes lifetimes = Lifetimes.of(device);
  private final ActiveBytes active = ActiveBytes.of(device, lifetimes);

  @Benchmark
  public Lifetimes lifetimes() {
    return Lifetimes.of(device);
  }

  @Benchmark
  public ActiveBytes activeBytes() {
    return ActiveBytes.of(device, lifetimes);
  }

  /** The whole trace at 1600 x 800 pixels. */
  @Benchmark
  public ActiveTimeline timelineOfWholeTrace() {
    return ActiveTimeline.of(lifetimes, active, new EventWindow(0, EVENTS), 1600, 800);
  }

  /** A thousand events in the middle of the trace. */
  @Benchmark
  public ActiveTimeline timelineOfAThousandEvents() {
    int from = EVENTS / 2;
    return ActiveTimeline.of(lifetimes, active, new EventWindow(from, from + 1000), 1600, 800);
  }

  @Benchmark
  public AllocatorState stateInTheMiddle() {
    return AllocatorState.at(device, lifetimes, SizeRules.DEFAULT, EVENTS / 2);
  }
}
