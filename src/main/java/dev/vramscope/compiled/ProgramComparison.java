package dev.vramscope.compiled;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Two programs, or two variants of one: what the second needs more or less.
 *
 * @param uses each use of memory that one of them has
 * @param operations what is live at the peak of each, by operation; empty if a peak is not known
 */
public record ProgramComparison(
    List<UseChange> uses,
    List<OperationChange> operations,
    @Nullable Double flopsBefore,
    @Nullable Double flopsAfter) {
  /** A use of memory; bytes of the whole program if {@code use} is null. */
  public record UseChange(@Nullable AllocationUse use, long before, long after) {
    public long change() {
      return after - before;
    }
  }

  /** An operation with what it holds at the peaks. */
  public record OperationChange(
      String operation, long before, long after, long countBefore, long countAfter) {
    public long change() {
      return after - before;
    }
  }

  private static final class Sum {
    private long bytes;
    private long count;
  }

  public ProgramComparison {
    uses = List.copyOf(uses);
    operations = List.copyOf(operations);
  }

  /**
   * Compares two programs; empty if one states no bytes. A use is that of the same texts: sums of
   * {@code memory_analysis()} leave constants and memory of threads out, so that they are compared
   * with those of the other program if both have them.
   */
  public static Optional<ProgramComparison> of(CompiledProgram before, CompiledProgram after) {
    boolean isOfStatistics = !before.hasAssignment() || !after.hasAssignment();
    Optional<MemoryUses> first = uses(before, isOfStatistics);
    Optional<MemoryUses> second = uses(after, isOfStatistics);
    if (first.isEmpty() || second.isEmpty()) {
      return Optional.empty();
    }
    List<UseChange> uses = new ArrayList<>();
    for (AllocationUse use : AllocationUse.values()) {
      long left = first.get().bytes(use);
      long right = second.get().bytes(use);
      if (left != 0 || right != 0) {
        uses.add(new UseChange(use, left, right));
      }
    }
    uses.add(new UseChange(null, first.get().totalBytes(), second.get().totalBytes()));
    return Optional.of(
        new ProgramComparison(uses, operations(before, after), flops(before), flops(after)));
  }

  private static Optional<MemoryUses> uses(CompiledProgram program, boolean isOfStatistics) {
    if (isOfStatistics) {
      return program.statistics().isPresent()
          ? Optional.of(MemoryUses.ofStatistics(program.statistics().get()))
          : Optional.empty();
    }
    return Optional.of(MemoryUses.of(program));
  }

  private static @Nullable Double flops(CompiledProgram program) {
    return program.flops().isPresent() ? (Double) program.flops().getAsDouble() : null;
  }

  private static List<OperationChange> operations(CompiledProgram before, CompiledProgram after) {
    Optional<PeakMoment> first = PeakMoment.of(before);
    Optional<PeakMoment> second = PeakMoment.of(after);
    if (first.isEmpty() || second.isEmpty()) {
      return List.of();
    }
    Map<String, Sum> left = sums(before, first.get());
    Map<String, Sum> right = sums(after, second.get());
    Set<String> names = new TreeSet<>(left.keySet());
    names.addAll(right.keySet());
    return names.stream()
        .map(name -> change(name, left, right))
        .filter(each -> each.change() != 0)
        .sorted(
            Comparator.comparingLong((OperationChange each) -> Math.abs(each.change())).reversed())
        .toList();
  }

  private static OperationChange change(
      String name, Map<String, Sum> before, Map<String, Sum> after) {
    Sum left = before.getOrDefault(name, new Sum());
    Sum right = after.getOrDefault(name, new Sum());
    return new OperationChange(name, left.bytes, right.bytes, left.count, right.count);
  }

  private static Map<String, Sum> sums(CompiledProgram program, PeakMoment peak) {
    Map<String, Sum> sums = new HashMap<>();
    for (PeakMoment.LiveBuffer live : peak.buffers()) {
      Sum sum = sums.computeIfAbsent(operation(program, live), _ -> new Sum());
      sum.bytes += live.buffer().bytes();
      sum.count++;
    }
    return sums;
  }

  /** Its operation, or else its opcode, or else the name of the instruction without its number. */
  private static String operation(CompiledProgram program, PeakMoment.LiveBuffer live) {
    String name = live.buffer().instruction();
    return program
        .instruction(name)
        .map(
            instruction ->
                instruction.operation().isEmpty()
                    ? withoutOperation(instruction, live)
                    : withoutProgram(instruction.operation()))
        .filter(operation -> !operation.isEmpty())
        .orElse(name.replaceFirst("(\\.\\d+)+$", ""));
  }

  private static String withoutOperation(
      ProgramInstruction instruction, PeakMoment.LiveBuffer live) {
    boolean isState = instruction.opcode().equals("parameter") && !live.use().isOfCaller();
    return isState ? ProgramInstruction.STATE : instruction.opcode();
  }

  /** Variants are functions with names of their own: {@code jit(grad)/mul} is {@code mul}. */
  private static String withoutProgram(String operation) {
    return operation.replaceFirst("^p?jit\\([^()/]*\\)/", "");
  }

  /** The change of one use. */
  public long change(AllocationUse use) {
    return uses.stream()
        .filter(each -> each.use() == use)
        .mapToLong(UseChange::change)
        .findFirst()
        .orElse(0);
  }

  /** The change of all memory. */
  public long change() {
    return uses.getLast().change();
  }
}
