package dev.vramscope.analysis.steps;

import dev.vramscope.model.Annotation;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Trace;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * Step starts from annotations: those of PyTorch's profiler mark a step ({@code ProfilerStep#3});
 * an optimizer's mark the end of one ({@code Optimizer.step#AdamW.step}).
 */
final class StepAnnotations {
  private static final String PROFILER = "profilerstep";

  private StepAnnotations() {}

  /** The first event after each mark of the profiler; empty if there are none. */
  static int[] profilerSteps(DeviceSnapshot device) {
    return starts(
        device,
        annotation ->
            isOfProfiler(annotation) && annotation.stage() == Annotation.Stage.START
                ? PROFILER
                : "");
  }

  /** The first event after the end of each step of an optimizer; empty if there are none. */
  static int[] optimizerSteps(DeviceSnapshot device) {
    return starts(
        device,
        annotation ->
            !isOfProfiler(annotation)
                    && annotation.stage() == Annotation.Stage.END
                    && name(annotation).contains("step")
                ? name(annotation)
                : "");
  }

  private static boolean isOfProfiler(Annotation annotation) {
    return name(annotation).startsWith(PROFILER);
  }

  private static String name(Annotation annotation) {
    return annotation.name().toLowerCase(Locale.ROOT);
  }

  /**
   * The first event after each mark of the first kind that has enough of them; empty if there is
   * none, or events have no times.
   *
   * @param kind the kind of a mark; empty if it is none
   */
  private static int[] starts(DeviceSnapshot device, Function<Annotation, String> kind) {
    Trace trace = device.trace();
    if (device.annotations().size() < Steps.LEAST_STARTS || trace.isEmpty()) {
      return new int[0];
    }
    Map<String, LongStream.Builder> times = new LinkedHashMap<>();
    for (Annotation annotation : device.annotations()) {
      String name = kind.apply(annotation);
      if (!name.isEmpty() && annotation.timeMicros() != Trace.NO_TIME) {
        times.computeIfAbsent(name, _ -> LongStream.builder()).add(annotation.timeMicros());
      }
    }
    return times.values().stream()
        .map(marks -> events(trace, marks.build().sorted().toArray()))
        .filter(starts -> starts.length >= Steps.LEAST_STARTS)
        .findFirst()
        .orElse(new int[0]);
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
