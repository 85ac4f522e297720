package dev.vramscope.plan;

import dev.vramscope.analysis.stacks.FrameRules;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.plan.Prediction.Place;
import dev.vramscope.whatif.Outcome;

/** Finds the line of code of the request that fails first. */
final class FailingLine {
  private FailingLine() {}

  static Place of(FittedRun run, Outcome outcome, ParameterValues values) {
    if (outcome.fits() || outcome.failsAtEvent().isEmpty()) {
      return Place.NONE;
    }
    int event = outcome.failsAtEvent().getAsInt();
    long bytes = bytes(run, event, values);
    Trace trace = run.template().device().trace();
    StackTable stacks = run.template().snapshot().stacks();
    StackClasses classes = FrameRules.standard().classify(stacks);
    for (int at = event; at >= 0; at--) {
      if (trace.stack(at) != StackTable.NONE) {
        return new Place(stacks.frame(classes.siteOf(trace.stack(at))), at < event, bytes);
      }
    }
    return new Place(null, /* isBefore= */ true, bytes);
  }

  private static long bytes(FittedRun run, int event, ParameterValues values) {
    long[] bytes = run.bytesAt(values);
    for (int i = 0; i < bytes.length; i++) {
      if (run.template().run().event(i) == event && run.operations().subject(i) == i) {
        return bytes[i];
      }
    }
    return 0;
  }
}
