package dev.vramscope.compiled;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the memory of a program is used for. The rows of an assignment add up to the total.
 *
 * @param totalBytes of all rows
 * @param callerBytes arguments, which the caller holds before the program runs
 * @param isOfAssignment whether the rows are allocations, not sums of {@code memory_analysis()}
 */
public record MemoryUses(
    List<Row> rows, long totalBytes, long callerBytes, boolean isOfAssignment) {
  /**
   * One use in one memory space.
   *
   * @param count allocations; 0 if they are not known
   * @param source what the number is from
   */
  public record Row(AllocationUse use, int memorySpace, long bytes, long count, String source) {}

  public MemoryUses {
    rows = List.copyOf(rows);
  }

  /** The parts of a program; without rows if nothing states them. */
  public static MemoryUses of(CompiledProgram program) {
    return program.hasAssignment()
        ? ofAllocations(program.allocations())
        : program.statistics().map(MemoryUses::ofStatistics).orElse(sum(List.of(), false));
  }

  private static MemoryUses ofAllocations(List<ProgramAllocation> allocations) {
    List<Row> rows = new ArrayList<>();
    for (int space :
        allocations.stream()
            .mapToInt(ProgramAllocation::memorySpace)
            .sorted()
            .distinct()
            .toArray()) {
      for (AllocationUse use : AllocationUse.values()) {
        List<ProgramAllocation> of =
            allocations.stream()
                .filter(each -> each.use() == use && each.memorySpace() == space)
                .toList();
        if (!of.isEmpty()) {
          long bytes = of.stream().mapToLong(ProgramAllocation::bytes).reduce(0, Math::addExact);
          rows.add(new Row(use, space, bytes, of.size(), ProgramFile.BUFFER_ASSIGNMENT.label()));
        }
      }
    }
    return sum(rows, true);
  }

  /** The parts that sums state; nothing is known of constants and memory of threads. */
  public static MemoryUses ofStatistics(MemoryStatistics statistics) {
    List<Row> rows = new ArrayList<>();
    long aliased = statistics.of("alias").orElse(0);
    add(rows, AllocationUse.ARGUMENT, less(statistics.of("argument"), aliased));
    add(rows, AllocationUse.ALIASED, statistics.of("alias"));
    add(rows, AllocationUse.OUTPUT, less(statistics.of("output"), aliased));
    add(rows, AllocationUse.TEMPORARY, statistics.of("temp"));
    return sum(rows, false);
  }

  private static OptionalLong less(OptionalLong bytes, long part) {
    return bytes.isPresent() ? OptionalLong.of(bytes.getAsLong() - part) : bytes;
  }

  private static void add(List<Row> rows, AllocationUse use, OptionalLong bytes) {
    bytes.ifPresent(
        known -> rows.add(new Row(use, 0, known, 0, ProgramFile.MEMORY_ANALYSIS.label())));
  }

  private static MemoryUses sum(List<Row> rows, boolean isOfAssignment) {
    return new MemoryUses(
        rows,
        rows.stream().mapToLong(Row::bytes).reduce(0, Math::addExact),
        rows.stream()
            .filter(row -> row.use().isOfCaller())
            .mapToLong(Row::bytes)
            .reduce(0, Math::addExact),
        isOfAssignment);
  }

  /** The bytes of one use in all memory spaces. */
  public long bytes(AllocationUse use) {
    return rows.stream().filter(row -> row.use() == use).mapToLong(Row::bytes).sum();
  }

  /** What the program needs beside its arguments. */
  public long ownBytes() {
    return totalBytes - callerBytes;
  }
}
