package dev.vramscope.analysis.steps;

import dev.vramscope.model.Annotation;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Trace;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Step starts from annotations: those of PyTorch's profiler mark a step ({@code ProfilerStep#3});
 * an optimizer's mark the end of one ({@code Optimizer.step#AdamW.step}).
 */
final class StepAnnotations {
  private static final String PROFILER = "profilerstep";

  private StepAnnotations() {}

  /** The first event after each mark; empty if there are too few or events have no times. */
  static int[] starts(DeviceSnapshot device) {
    Trace trace = device.trace();
    if (device.annotations().size() < Steps.LEAST_STARTS || trace.isEmpty()) {
      return new int[0];
    }
    Map<String, LongStream.Builder> times = new LinkedHashMap<>();
    for (Annotation annotation : device.annotations()) {
      String name = annotation.name().toLowerCase(Locale.ROOT);
      boolean isProfiler = name.startsWith(PROFILER);
      boolean isMark =
          isProfiler
              ? annotation.stage() == Annotation.Stage.START
              : name.contains("step") && annotation.stage() == Annotation.Stage.END;
      if (isMark && annotation.timeMicros() != Trace.NO_TIME) {
        times
            .computeIfAbsent(isProfiler ? PROFILER : name, _ -> LongStream.builder())
            .add(annotation.timeMicros());
      }
    }
    List<int[]> marks =
        times.entrySet().stream()
            .sorted(
                (a, b) -> Boolean.compare(b.getKey().equals(PROFILER), a.getKey().equals(PROFILER)))
            .map(entry -> events(trace, entry.getValue().build().sorted().toArray()))
            .filter(starts -> starts.length >= Steps.LEAST_STARTS)
            .toList();
    return marks.isEmpty() ? new int[0] : marks.getFirst();
  }

  /**
   * The first event after each of the ascending times. Of several marks before the first event, the
   * steps have no events or lost some of them, and are left out.
   */
  private static int[] events(Trace trace, long[] times) {
    int[] events = Arrays.stream(times).mapToInt(time -> firstAfter(trace, time)).toArray();
    int firstStart = events.length > 1 && events[1] == 0 ? 1 : 0;
    return Arrays.stream(events)
        .filter(event -> event >= firstStart && event < trace.size())
        .distinct()
        .toArray();
  }

  private static int firstAfter(Trace trace, long time) {
    int low = 0;
    int high = trace.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (trace.timeMicros(middle) <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
