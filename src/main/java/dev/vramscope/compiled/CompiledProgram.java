package dev.vramscope.compiled;

import dev.vramscope.model.finding.Finding;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * What texts of XLA and JAX say about one compiled program.
 *
 * @param name of the module, or of the variant
 * @param allocations empty without a buffer assignment
 * @param costs of {@code cost_analysis()}, by property; empty without one
 */
public record CompiledProgram(
    String name,
    List<ProgramAllocation> allocations,
    Optional<LiveRanges> liveRanges,
    Optional<ProgramText> text,
    Optional<MemoryStatistics> statistics,
    Map<String, Double> costs,
    List<Finding> findings) {
  public CompiledProgram {
    allocations = List.copyOf(allocations);
    costs = Map.copyOf(costs);
    findings = List.copyOf(findings);
  }

  /** Whether the buffer assignment was given. */
  public boolean hasAssignment() {
    return !allocations.isEmpty();
  }

  /** All buffers of all allocations. */
  public List<ProgramBuffer> buffers() {
    return allocations.stream()
        .map(ProgramAllocation::buffers)
        .flatMap(Collection::stream)
        .toList();
  }

  public Optional<ProgramInstruction> instruction(String instruction) {
    return text.map(program -> program.instructions().get(instruction));
  }

  /** Floating-point operations; empty if they are not stated. A loop may be counted once. */
  public OptionalDouble flops() {
    Double flops = costs.get("flops");
    return flops == null || !(flops >= 0) ? OptionalDouble.empty() : OptionalDouble.of(flops);
  }

  /** The kinds of text that would add something. */
  public Set<ProgramFile> missingFiles() {
    Set<ProgramFile> missing = EnumSet.noneOf(ProgramFile.class);
    addIf(!hasAssignment(), ProgramFile.BUFFER_ASSIGNMENT, missing);
    addIf(liveRanges.isEmpty(), ProgramFile.LIVE_RANGE, missing);
    addIf(text.isEmpty(), ProgramFile.PROGRAM, missing);
    addIf(statistics.isEmpty(), ProgramFile.MEMORY_ANALYSIS, missing);
    addIf(costs.isEmpty(), ProgramFile.COST_ANALYSIS, missing);
    return missing;
  }

  private static void addIf(boolean isMissing, ProgramFile file, Set<ProgramFile> missing) {
    if (isMissing) {
      missing.add(file);
    }
  }
}
