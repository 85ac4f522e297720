package dev.vramscope.analysis.uses;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import java.util.BitSet;

/**
 * Finds temporary results among those of models that run without a backward pass, as under {@code
 * torch.no_grad}: each is freed as soon as the next one is computed. A call that keeps much of what
 * it has computed until it ends, or the results of many places, has made a graph; its results stay
 * activations.
 */
final class EvaluationResults {
  /** Of what a call without a graph computes. */
  private static final double MOST_KEPT = 0.5;

  private final Lifetimes lifetimes;
  private final Uses uses;
  private final TrainedCalls trained;
  private final ModelRuns runs;

  EvaluationResults(Lifetimes lifetimes, Uses uses, TrainedCalls trained, ModelRuns runs) {
    this.lifetimes = lifetimes;
    this.uses = uses;
    this.trained = trained;
    this.runs = runs;
  }

  void find() {
    BitSet withoutGraph = new BitSet();
    for (int run = 0; run < runs.count(); run++) {
      boolean isComplete = runs.endEvent(run) != Lifetimes.NEVER;
      if (isComplete && isEvaluation(run) && !keepsGraph(run)) {
        withoutGraph.set(runs.caller(run));
      }
    }
    for (int run = 0; run < runs.count(); run++) {
      if (isEvaluation(run) && (withoutGraph.get(runs.caller(run)) || !keepsGraph(run))) {
        for (int row = runs.firstRow(run); row < runs.endRow(run); row++) {
          if (uses.use(row) == Use.ACTIVATIONS) {
            uses.set(row, Use.TEMPORARY);
          }
        }
      }
    }
  }

  private boolean isEvaluation(int run) {
    return !runs.isTrained(run, trained);
  }

  private boolean keepsGraph(int run) {
    long bytes = 0;
    int blocks = 0;
    StackBytes.Sum kept = new StackBytes.Sum();
    int end = runs.lastEvent(run);
    for (int row = runs.firstRow(run); row < runs.endRow(run); row++) {
      if (uses.use(row) == Use.ACTIVATIONS) {
        bytes += lifetimes.bytes(row);
        if (lifetimes.endEvent(row) > end) {
          kept.add(lifetimes.stack(row), lifetimes.bytes(row));
          blocks++;
        }
      }
    }
    return kept.total().isGraph(blocks) || kept.total().bytes() > MOST_KEPT * bytes;
  }
}
