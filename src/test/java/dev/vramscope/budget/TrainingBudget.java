package dev.vramscope.budget;

import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.ledger.Ledger.DeviceMemory;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.uses.TrainingTrace;
import dev.vramscope.budget.Budget.Moment;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.StackTable;
import java.util.List;

/** The trace of a training program that a test writes, with its budgets. */
final class TrainingBudget extends TrainingTrace {
  /** The budget at the end, or when the last request failed. */
  Budget budget() {
    return budgetAfter(size() - 1);
  }

  /** The budget after an event, with these segments. */
  Budget budgetAfter(int event, Segment... segments) {
    AllocatorState state = new AllocatorState(event, List.of(segments), 0, 0, List.of());
    Lifetimes lifetimes = lifetimes();
    StackClasses classes = classes();
    return Budget.of(
        failedStack() == StackTable.NONE ? Moment.END : Moment.FAILURE,
        state,
        Ledger.of(state, SizeRules.DEFAULT, DeviceMemory.UNKNOWN),
        lifetimes,
        classes,
        uses(lifetimes, classes),
        failedStack());
  }
}
