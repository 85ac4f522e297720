package dev.vramscope.budget;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.FrameMatch;
import dev.vramscope.analysis.stacks.FrameRules.Category;
import dev.vramscope.analysis.stacks.ModelCalls;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.analysis.uses.StackBytes;
import dev.vramscope.analysis.uses.Use;
import dev.vramscope.analysis.uses.Uses;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The models whose parameters are live at a moment, in the order in which they were made. A model
 * ends where the program calls a model, or where the sizes of its parameters begin again:
 *
 * <pre>
 *   allocations   p1 p2 p3 │ forward, backward, … │ p1 p2 p3 │ …      an earlier model
 *                 p1 p2 p3 │ p1 p2 p3 │ forward …                     a second model
 *                 p1 p2 p3 │ deepcopy: p1 p2 p3                       a copied model
 *                 p1 p2 p3 │ torch.load: p1 p2 p3                     a checkpoint
 * </pre>
 */
public final class ModelGenerations {
  /** Models are as large as each other within this share. */
  private static final double SIMILAR = 0.02;

  /** Fewer parameters than this share of the largest model's are none of their own. */
  private static final double LEAST_OF_LARGEST = 0.1;

  private static final FrameMatch DEEP_COPY = FrameMatch.of("name is deepcopy");

  private final StackClasses stacks;
  private final List<Generation> generations = new ArrayList<>();

  /** Allocations inside models before the moment. */
  private int usesAtMoment;

  private ModelGenerations(StackClasses stacks) {
    this.stacks = stacks;
  }

  /** Where the parameters of a model come from. */
  public enum Source {
    /** The program made them, or read them from a file as this model. */
    MADE,
    /** Copied from another model in the memory of the device. */
    COPIED,
    /** Read from a file beside a model of the same size. */
    CHECKPOINT
  }

  /**
   * One model.
   *
   * @param stack of most of its bytes; 0 without one
   * @param bytes of its live parameters
   * @param count of its live parameters
   */
  public record Model(Source source, int stack, long bytes, int count) {}

  private static final class Generation {
    private Source source;
    private final int usesBefore;
    private final int firstEvent;
    private final List<Long> sizes = new ArrayList<>();
    private final List<Integer> allocatingStacks = new ArrayList<>();

    Generation(Source source, int usesBefore, int firstEvent) {
      this.source = source;
      this.usesBefore = usesBefore;
      this.firstEvent = firstEvent;
    }

    void add(long bytes, int stack) {
      sizes.add(bytes);
      allocatingStacks.add(stack);
    }

    long bytes() {
      return sizes.stream().mapToLong(Long::longValue).sum();
    }

    StackBytes byStack() {
      StackBytes.Sum sum = new StackBytes.Sum();
      for (int i = 0; i < sizes.size(); i++) {
        sum.add(allocatingStacks.get(i), sizes.get(i));
      }
      return sum.total();
    }

    /** Its halves, if they are equal; otherwise itself. */
    List<Generation> divided() {
      int half = sizes.size() / 2;
      if (source != Source.MADE || half == 0 || sizes.size() % 2 != 0) {
        return List.of(this);
      }
      List<Long> first = sizes.subList(0, half).stream().sorted().toList();
      // Layers of one model are equal, too: only whole models are as different as this.
      boolean isOneSize = first.getFirst().equals(first.getLast());
      if (isOneSize
          || !first.equals(sizes.subList(half, sizes.size()).stream().sorted().toList())) {
        return List.of(this);
      }
      Generation before = new Generation(Source.MADE, usesBefore, firstEvent);
      Generation after = new Generation(Source.MADE, usesBefore, firstEvent);
      for (int i = 0; i < sizes.size(); i++) {
        (i < half ? before : after).add(sizes.get(i), allocatingStacks.get(i));
      }
      return List.of(before, after);
    }

    Model model() {
      return new Model(source, byStack().largestStack(), bytes(), sizes.size());
    }
  }

  /** The models at an event. */
  public static ModelGenerations at(
      int event, Lifetimes lifetimes, StackClasses stacks, Uses uses, ModelCalls calls) {
    ModelGenerations models = new ModelGenerations(stacks);
    Generation latest = null;
    for (int row = 0; row < lifetimes.firstAllocatedFrom(event); row++) {
      int stack = lifetimes.stack(row);
      if (row >= lifetimes.liveBeforeCount() && calls.caller(stack) != StackTable.NONE) {
        models.usesAtMoment++;
      }
      if (uses.use(row) != Use.PARAMETERS || !lifetimes.isActiveAt(row, event)) {
        continue;
      }
      Source source = models.source(stack);
      if (latest == null || latest.source != source || latest.usesBefore != models.usesAtMoment) {
        latest = new Generation(source, models.usesAtMoment, lifetimes.allocationEvent(row));
        models.generations.add(latest);
      }
      latest.add(lifetimes.bytes(row), stack);
    }
    models.dropSmall();
    models.generations.forEach(models::tellModelFromCheckpoint);
    return models;
  }

  private Source source(int stack) {
    if (FrameMatch.innermost(List.of(DEEP_COPY), stack, stacks.stacks()).isPresent()) {
      return Source.COPIED;
    }
    return stacks.category(stack) == Category.CHECKPOINT ? Source.CHECKPOINT : Source.MADE;
  }

  private void dropSmall() {
    long largest = generations.stream().mapToLong(Generation::bytes).max().orElse(0);
    generations.removeIf(each -> each.bytes() < LEAST_OF_LARGEST * largest);
  }

  /** What was read from a file is a model of the program if it has made none of this size. */
  private void tellModelFromCheckpoint(Generation read) {
    if (read.source == Source.CHECKPOINT
        && of(Source.MADE).noneMatch(made -> isSimilar(made, read))) {
      read.source = Source.MADE;
    }
  }

  private Stream<Generation> of(Source source) {
    return generations.stream().filter(each -> each.source == source);
  }

  /** The models in the order in which they were made. */
  public List<Model> models() {
    return generations.stream()
        .flatMap(each -> each.divided().stream())
        .map(Generation::model)
        .toList();
  }

  /** The parameters that were copied from others. */
  public StackBytes copied() {
    StackBytes.Sum sum = new StackBytes.Sum();
    of(Source.COPIED).forEach(each -> sum.add(each.byStack()));
    return sum.total();
  }

  /**
   * The models that the program has used before it made the last one, if that is made by the same
   * code or is as large, or if the program has not used it yet.
   */
  public StackBytes earlier() {
    List<Generation> made = of(Source.MADE).toList();
    StackBytes.Sum sum = new StackBytes.Sum();
    if (!made.isEmpty()) {
      Generation last = made.getLast();
      for (Generation each : made.subList(0, made.size() - 1)) {
        if (each.usesBefore < last.usesBefore
            && (last.usesBefore == usesAtMoment || isMadeAlike(each, last))) {
          sum.add(each.byStack());
        }
      }
    }
    return sum.total();
  }

  /** The event at which the last model began to be made; 0 if it was there before the recording. */
  public int lastMadeAt() {
    return of(Source.MADE)
        .reduce((_, later) -> later)
        .map(last -> Math.max(0, last.firstEvent))
        .orElse(0);
  }

  private boolean isMadeAlike(Generation one, Generation other) {
    int line = line(one);
    return isSimilar(one, other) || (line >= 0 && line == line(other));
  }

  private static boolean isSimilar(Generation one, Generation other) {
    return one.sizes.size() == other.sizes.size()
        && Math.abs(one.bytes() - other.bytes()) <= SIMILAR * one.bytes();
  }

  private int line(Generation model) {
    int stack = model.byStack().largestStack();
    return stack == StackTable.NONE ? -1 : stacks.stacks().frameNumber(stacks.siteOf(stack));
  }

  /** The second of two models of one size that were made before either was used. */
  public StackBytes second() {
    for (Generation each : generations) {
      List<Generation> halves = each.divided();
      if (halves.size() > 1) {
        return halves.getLast().byStack();
      }
    }
    return StackBytes.NONE;
  }
}
