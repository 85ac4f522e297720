package dev.vramscope.analysis.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.Annotation;
import dev.vramscope.model.Annotation.Stage;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events 0 to 99 happen at 1000, 1010, … */
class StepAnnotationsTest {
  private final List<Annotation> annotations = new ArrayList<>();

  private void mark(String name, Stage stage, long... times) {
    for (long time : times) {
      annotations.add(new Annotation(name, stage, time));
    }
  }

  private int[] starts() {
    Trace.Builder trace = new Trace.Builder();
    for (int event = 0; event < 100; event++) {
      trace.add(TraceAction.ALLOC, 0x1000L * event, 512);
      trace.timeMicros(event, 1000 + 10L * event);
    }
    DeviceSnapshot device = new DeviceSnapshot(0, List.of(), trace.build(), annotations);
    int[] profiled = StepAnnotations.profilerSteps(device);
    return profiled.length > 0 ? profiled : StepAnnotations.optimizerSteps(device);
  }

  @Test
  void aStepBeginsWithTheFirstEventAfterItsMark() {
    mark("ProfilerStep#7", Stage.START, 1005, 1200, 1400, 1600);
    mark("ProfilerStep#7", Stage.END, 1199, 1399);
    assertThat(starts()).containsExactly(1, 21, 41, 61);
  }

  @Test
  void oneMarkBeforeTheFirstEventBeginsTheFirstStep() {
    mark("ProfilerStep#0", Stage.START, 990, 1205, 1405, 1605);
    assertThat(starts()).containsExactly(0, 21, 41, 61);
  }

  @Test
  void severalMarksBeforeTheFirstEventAreStepsWhoseEventsAreLost() {
    mark("ProfilerStep#0", Stage.START, 500, 700, 990, 1205, 1405, 1605, 1805);
    assertThat(starts()).containsExactly(21, 41, 61, 81);
  }

  @Test
  void theProfilersMarksComeBeforeThoseOfOptimizers() {
    mark("Optimizer.step#AdamW.step", Stage.END, 1105, 1305, 1505, 1705);
    mark("Optimizer.step#AdamW.step", Stage.START, 1101, 1301, 1501, 1701);
    assertThat(starts()).containsExactly(11, 31, 51, 71);
    mark("ProfilerStep#0", Stage.START, 1005, 1205, 1405, 1605, 5000);
    assertThat(starts()).containsExactly(1, 21, 41, 61);
  }

  @Test
  void threeMarksAreTooFew() {
    mark("ProfilerStep#0", Stage.START, 1005, 1205, 1405);
    assertThat(starts()).isEmpty();
  }
}
