package dev.vramscope.compiled;

import dev.vramscope.model.finding.Finding;
import java.util.List;

/**
 * One upload: programs, or variants of one program.
 *
 * @param platform what it was compiled for, such as {@code cpu}; empty if no name says it
 * @param unusableDonations shapes of donated arguments that JAX could not reuse, such as {@code
 *     float64[100,100]}
 */
public record CompiledFile(
    List<CompiledProgram> programs,
    String platform,
    List<String> unusableDonations,
    List<Finding> findings) {
  public CompiledFile {
    programs = List.copyOf(programs);
    unusableDonations = List.copyOf(unusableDonations);
    findings = List.copyOf(findings);
  }
}
