package dev.vramscope.recorder;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Budget A5 in docs/benchmarks.md: the cost of a context, as a scope and as a call stack of 10 and
 * 30 frames.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--add-opens=java.base/java.lang=ALL-UNNAMED")
public class ContextBenchmark {
  private final Recorder recorder = new Recorder(InstantSource.system());

  /** The depth of the recursion and the maximum number of frames. */
  @Param({"10", "30"})
  private int frames;

  /** Opens a scope, reads its context as an event does, and closes it. */
  @Benchmark
  public int scope() {
    try (var _ = recorder.scope("forward/layer 3")) {
      return recorder.currentThread().context(ContextKind.SCOPES);
    }
  }

  /** The recursion alone, without capturing the stack. */
  @Benchmark
  public int recursionAlone() {
    return descend(frames, null);
  }

  /** Captures and interns a call stack of this many frames. */
  @Benchmark
  public int stack() {
    HistorySettings settings =
        HistorySettings.all().withContexts(ContextKind.STACKS, 1).withMaxFrames(frames);
    return descend(frames, settings);
  }

  private int descend(int depth, @Nullable HistorySettings settings) {
    if (depth > 0) {
      return descend(depth - 1, settings) + 1;
    }
    if (settings == null) {
      return 0;
    }
    RecordedThread thread = recorder.captureStack(settings);
    int context = thread.context(ContextKind.STACKS);
    thread.clearStack();
    return context;
  }
}
