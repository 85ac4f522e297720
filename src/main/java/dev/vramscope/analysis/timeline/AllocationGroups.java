package dev.vramscope.analysis.timeline;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.uses.Use;
import dev.vramscope.analysis.uses.Uses;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.PoolId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Allocations in a few groups by one property, for colours. The groups of a recording are the same
 * in every window of it.
 */
public final class AllocationGroups {
  /** The group of an allocation that is in none of the named ones. */
  public static final int OTHER = 255;

  /** More cannot be told apart by colour. */
  static final int MAX_NAMED = 8;

  /** Of the uses, buffers of collective operations are the rarest. */
  private static final List<Use> COLOURED =
      List.of(
          Use.PARAMETERS,
          Use.GRADIENTS,
          Use.OPTIMIZER_STATE,
          Use.ACTIVATIONS,
          Use.KV_CACHE,
          Use.KEPT_RESULTS,
          Use.TEMPORARY,
          Use.WORKSPACES);

  private static final long KIB = 1L << 10;
  private static final long[] SIZES = {64 * KIB, KIB * KIB, 16 * KIB * KIB, 256 * KIB * KIB};
  private static final long[] LIVES = {100, 1_000, 10_000, 100_000};

  private final List<String> names;
  private final boolean isOrdered;
  private final IntUnaryOperator groupOf;

  private AllocationGroups(List<String> names, boolean isOrdered, IntUnaryOperator groupOf) {
    this.names = List.copyOf(names);
    this.isOrdered = isOrdered;
    this.groupOf = groupOf;
  }

  /** By stream; those with the most requested bytes in the whole recording. */
  public static AllocationGroups byStream(Lifetimes lifetimes) {
    return largest(lifetimes, lifetimes::stream, row -> "stream " + lifetimes.stream(row));
  }

  /** By memory pool, as for streams; a pool that was not recorded is a group too. */
  public static AllocationGroups byPool(Lifetimes lifetimes) {
    return largest(
        lifetimes,
        lifetimes::pool,
        row -> {
          PoolId pool = lifetimes.pool(row);
          return pool == null
              ? "pool not recorded"
              : (pool.isPrivate() ? "private pool " : "default pool ") + pool;
        });
  }

  /** By use; what has no identified use is in none of them. */
  public static AllocationGroups byUse(Uses uses) {
    List<String> names = new ArrayList<>();
    for (Use use : COLOURED) {
      names.add(use.words() + " (estimated)");
    }
    return new AllocationGroups(
        names,
        /* isOrdered= */ false,
        row -> {
          int group = COLOURED.indexOf(uses.use(row));
          return group < 0 ? OTHER : group;
        });
  }

  /** By the number of events of the recording after which it is active. */
  public static AllocationGroups byAge(Lifetimes lifetimes, int eventCount) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < LIVES.length; i++) {
      names.add(
          i == 0
              ? "active for less than %,d events".formatted(LIVES[i])
              : "%,d to %,d".formatted(LIVES[i - 1], LIVES[i] - 1));
    }
    names.add("%,d or more".formatted(LIVES[LIVES.length - 1]));
    names.add("to the end");
    int toTheEnd = names.size() - 1;
    return new AllocationGroups(
        names,
        /* isOrdered= */ true,
        row ->
            lifetimes.endEvent(row) >= eventCount
                ? toTheEnd
                : classOf(
                    lifetimes.endEvent(row) - (long) Math.max(0, lifetimes.allocationEvent(row)),
                    LIVES));
  }

  /** By requested bytes. */
  public static AllocationGroups bySize(Lifetimes lifetimes) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < SIZES.length; i++) {
      names.add(
          i == 0
              ? "less than " + ByteText.of(SIZES[i])
              : "%s to %s".formatted(ByteText.of(SIZES[i - 1]), ByteText.of(SIZES[i])));
    }
    names.add(ByteText.of(SIZES[SIZES.length - 1]) + " or more");
    return new AllocationGroups(
        names, /* isOrdered= */ true, row -> classOf(lifetimes.bytes(row), SIZES));
  }

  /**
   * The groups with the most requested bytes of all rows, largest first, and what the others are.
   */
  private static AllocationGroups largest(
      Lifetimes lifetimes, IntFunction<@Nullable Object> keyOf, IntFunction<String> nameOf) {
    Map<@Nullable Object, Group> groups = new HashMap<>();
    for (int row = 0; row < lifetimes.size(); row++) {
      int first = row;
      groups.computeIfAbsent(keyOf.apply(row), _ -> new Group(first)).bytes += lifetimes.bytes(row);
    }
    List<Group> named =
        groups.values().stream()
            .sorted(
                Comparator.comparingLong((Group group) -> group.bytes)
                    .reversed()
                    .thenComparingInt(group -> group.firstRow))
            .limit(MAX_NAMED)
            .toList();
    Map<@Nullable Object, Integer> numbers = new HashMap<>();
    for (Group group : named) {
      numbers.put(keyOf.apply(group.firstRow), numbers.size());
    }
    return new AllocationGroups(
        named.stream().map(group -> nameOf.apply(group.firstRow)).toList(),
        /* isOrdered= */ false,
        row -> numbers.getOrDefault(keyOf.apply(row), OTHER));
  }

  private static final class Group {
    private final int firstRow;
    private long bytes;

    Group(int firstRow) {
      this.firstRow = firstRow;
    }
  }

  private static int classOf(long value, long[] limits) {
    int index = 0;
    while (index < limits.length && value >= limits[index]) {
      index++;
    }
    return index;
  }

  /** What the groups are called; group n is the n-th. */
  public List<String> names() {
    return names;
  }

  /** Whether the groups are classes of a quantity, the smallest first. */
  public boolean isOrdered() {
    return isOrdered;
  }

  /** The group of a row of {@link Lifetimes}, or {@link #OTHER}. */
  public int groupOf(int row) {
    return groupOf.applyAsInt(row);
  }
}
