package dev.vramscope.budget;

import dev.vramscope.analysis.ledger.Ledger;
import dev.vramscope.analysis.lifetimes.AllocatorState;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.ModelCalls;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.uses.Use;
import dev.vramscope.analysis.uses.Uses;
import dev.vramscope.budget.ModelGenerations.Model;
import java.util.List;
import java.util.Optional;

/**
 * What the memory of a device is used for at a moment.
 *
 * @param moment which moment this is
 * @param event the moment: after this event
 * @param parts the live memory by use, in the order of {@link Use}; uses without memory are left
 *     out. They add up to the live rows of the ledger
 * @param ledger all memory of the device at the moment
 * @param models whose parameters are live, in the order in which they were made
 * @param comparison the parts beside what a training program is expected to need
 */
public record Budget(
    Moment moment,
    int event,
    List<Part> parts,
    Ledger ledger,
    List<Model> models,
    BudgetComparison comparison) {
  public Budget {
    parts = List.copyOf(parts);
    models = List.copyOf(models);
  }

  /** The moments of a recording that have a budget. */
  public enum Moment {
    /** When a request failed. */
    FAILURE,
    /** At the end of the recording. */
    END,
    /** When most memory was active. */
    PEAK
  }

  /**
   * The live memory of one use.
   *
   * @param bytes requested bytes, or the block size where the request is not recorded; over 0
   * @param count the number of blocks
   * @param isEstimated whether the use of some of them is estimated; false if the program declared
   *     all of them, and for memory without an identified use
   * @param sites the places that allocated most of it, most bytes first
   * @param siteCount the number of all places
   */
  public record Part(
      Use use, long bytes, int count, boolean isEstimated, List<SiteBytes> sites, int siteCount) {
    public Part {
      sites = List.copyOf(sites);
    }
  }

  /**
   * Memory of one use from one place.
   *
   * @param stack a stack of the place, that of its largest block; 0 without one
   * @param isBeforeRecording whether it has no stack because it is older than the recording
   * @param isBackward whether the stack is that of the forward pass whose results have these
   *     gradients; they have none of their own
   */
  public record SiteBytes(
      int stack, boolean isBeforeRecording, boolean isBackward, long bytes, int count) {}

  /**
   * Divides the live memory of a state.
   *
   * @param ledger of the same state
   * @param failedStack the stack of the request that failed at the moment; 0 without one
   */
  public static Budget of(
      Moment moment,
      AllocatorState state,
      Ledger ledger,
      Lifetimes lifetimes,
      StackClasses stacks,
      Uses uses,
      int failedStack) {
    LiveUses live = LiveUses.of(state, lifetimes, stacks, uses);
    List<Model> models =
        ModelGenerations.at(state.event(), lifetimes, stacks, uses, ModelCalls.of(stacks.stacks()))
            .models();
    return new Budget(
        moment,
        state.event(),
        live.parts(),
        ledger,
        models,
        BudgetComparison.of(live, lifetimes, stacks, uses, failedStack, models));
  }

  /** The part of a use; empty if it has no memory. */
  public Optional<Part> part(Use use) {
    return parts.stream().filter(part -> part.use() == use).findFirst();
  }

  /** The bytes of a use; 0 if it has no memory. */
  public long bytes(Use use) {
    return part(use).map(Part::bytes).orElse(0L);
  }
}
