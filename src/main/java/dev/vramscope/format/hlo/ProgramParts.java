package dev.vramscope.format.hlo;

import dev.vramscope.compiled.AllocationUse;
import dev.vramscope.compiled.CompiledFile;
import dev.vramscope.compiled.CompiledProgram;
import dev.vramscope.compiled.LiveRanges;
import dev.vramscope.compiled.MemoryStatistics;
import dev.vramscope.compiled.ProgramAllocation;
import dev.vramscope.compiled.ProgramText;
import dev.vramscope.format.hlo.MemoryAnalysisText.Block;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Joins files to programs: by the module in their names, by the module's name, by equal sums. */
final class ProgramParts {
  /** What is known about one module. */
  private static final class Parts {
    @Nullable List<ProgramAllocation> allocations;
    @Nullable LiveRanges liveRanges;
    @Nullable ProgramText text;
    @Nullable Block analysis;
    long reportedBytes = -1;
    final List<Finding> findings = new ArrayList<>();
  }

  private final Map<String, Parts> modules = new LinkedHashMap<>();
  private final List<ProgramText> unnamedTexts = new ArrayList<>();
  private final List<Block> blocks = new ArrayList<>();
  private final List<String> unusable = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();
  private String file = "";
  private String platform = "";
  private int unnamed;

  void setFile(String name) {
    file = name;
    if (!FileNames.platform(name).isEmpty()) {
      platform = FileNames.platform(name);
    }
  }

  void add(AssignmentText assignment) {
    if (assignment.unreadLines() > 0) {
      findings.add(
          FindingKind.PROGRAM_INCOMPLETE.finding(
              assignment.unreadLines(),
              String.format(
                  Locale.ROOT,
                  "%,d lines of allocations or values of %s, in a form that is not known; what was"
                      + " read of it are lower bounds",
                  assignment.unreadLines(),
                  file.isEmpty() ? "the text" : file)));
    }
    if (assignment.allocations().isEmpty()) {
      incomplete(findings);
      return;
    }
    Parts parts = parts(each -> each.allocations != null);
    if (parts.allocations != null) {
      unused();
      return;
    }
    parts.allocations = assignment.allocations();
    long sum = bytes(assignment.allocations());
    if (!assignment.isComplete()) {
      incomplete(parts.findings);
    }
    if (assignment.totalBytes() >= 0 && assignment.totalBytes() != sum) {
      parts.findings.add(differ("total bytes used", assignment.totalBytes(), sum));
    }
  }

  void add(LiveRanges ranges, boolean isComplete) {
    Parts parts = parts(each -> each.liveRanges != null);
    if (parts.liveRanges != null) {
      unused();
      return;
    }
    parts.liveRanges = ranges;
    if (!isComplete) {
      incomplete(parts.findings);
    }
  }

  /** Adds the total of a report. */
  void addTotal(long bytes) {
    parts(each -> each.reportedBytes >= 0).reportedBytes = bytes;
  }

  void add(ProgramText text) {
    if (FileNames.module(file).isEmpty()) {
      unnamedTexts.add(text);
      return;
    }
    Parts parts = parts(each -> each.text != null);
    if (parts.text == null) {
      parts.text = text;
    } else {
      unused();
    }
  }

  void add(MemoryAnalysisText analysis) {
    blocks.addAll(analysis.blocks());
    unusable.addAll(analysis.unusableDonations());
    if (analysis.blocks().isEmpty() && analysis.unusableDonations().isEmpty()) {
      unused();
    }
  }

  private void unused() {
    findings.add(
        FindingKind.PROGRAM_INCOMPLETE.finding(
            1,
            (file.isEmpty() ? "a part of the text" : file)
                + ", which is unknown or says the same as another file"));
  }

  private static void incomplete(List<Finding> findings) {
    if (findings.stream().noneMatch(FindingKind.PROGRAM_INCOMPLETE::isOf)) {
      findings.add(
          FindingKind.PROGRAM_INCOMPLETE.finding(
              1, "the rest of a text that ends early; its sums are lower bounds"));
    }
  }

  /** The parts of the module that the name of the file has, or else those that lack this one. */
  private Parts parts(Predicate<Parts> hasIt) {
    String module = FileNames.module(file);
    if (module.isEmpty()) {
      module = "program " + Math.max(1, unnamed);
      if (unnamed == 0 || hasIt.test(modules.getOrDefault(module, new Parts()))) {
        module = "program " + ++unnamed;
      }
    }
    return modules.computeIfAbsent(module, _ -> new Parts());
  }

  /** All programs, those with the most memory first. */
  CompiledFile file() {
    unnamedTexts.forEach(this::joinText);
    joinSums();
    List<CompiledProgram> programs = new ArrayList<>();
    modules.forEach(
        (name, parts) -> {
          if (parts.allocations != null || parts.liveRanges != null || parts.text != null) {
            programs.add(program(name, parts));
          }
        });
    programs.sort(
        Comparator.comparingLong((CompiledProgram each) -> bytes(each.allocations())).reversed());
    for (Block block : blocks) {
      programs.add(
          new CompiledProgram(
              block.name(),
              List.of(),
              Optional.empty(),
              Optional.empty(),
              block.hasStatistics() ? Optional.of(block.statistics()) : Optional.empty(),
              block.costs(),
              List.of()));
    }
    return new CompiledFile(programs, platform, unusable, findings);
  }

  private static long bytes(List<ProgramAllocation> allocations) {
    return allocations.stream().mapToLong(ProgramAllocation::bytes).sum();
  }

  /** A text without a module in its name is that of the module of its own name. */
  private void joinText(ProgramText text) {
    for (Map.Entry<String, Parts> each : modules.entrySet()) {
      boolean isOfModule =
          each.getKey().endsWith("." + text.module()) || each.getKey().startsWith("program ");
      if (isOfModule && each.getValue().text == null) {
        each.getValue().text = text;
        return;
      }
      ProgramText own = each.getValue().text;
      if (isOfModule && own != null && own.module().equals(text.module())) {
        file = "a second text of the module " + text.module();
        unused();
        return;
      }
    }
    modules.computeIfAbsent(text.module(), _ -> new Parts()).text = text;
  }

  /** The sums of {@code memory_analysis()} name no module: those with equal sums are of it. */
  private void joinSums() {
    for (Parts parts : modules.values()) {
      Iterator<Block> each = blocks.iterator();
      while (each.hasNext() && parts.analysis == null) {
        Block block = each.next();
        if (isSameProgram(parts, block, modules.size() == 1 && blocks.size() == 1)) {
          parts.analysis = block;
          each.remove();
        }
      }
    }
  }

  private static boolean isSameProgram(Parts parts, Block block, boolean isOnly) {
    if (parts.allocations == null || !block.hasStatistics()) {
      return isOnly;
    }
    MemoryStatistics sums = block.statistics();
    return isOnly
        || (equals(sums.of("argument"), argumentBytes(parts.allocations))
            && equals(sums.of("temp"), bytes(parts.allocations, AllocationUse.TEMPORARY)));
  }

  private static boolean equals(OptionalLong stated, long sum) {
    return stated.isPresent() && stated.getAsLong() == sum;
  }

  private static long argumentBytes(List<ProgramAllocation> allocations) {
    return bytes(allocations, AllocationUse.ARGUMENT) + bytes(allocations, AllocationUse.ALIASED);
  }

  private static long bytes(List<ProgramAllocation> allocations, AllocationUse use) {
    return allocations.stream()
        .filter(each -> each.use() == use && each.memorySpace() == 0)
        .mapToLong(ProgramAllocation::bytes)
        .sum();
  }

  private CompiledProgram program(String name, Parts parts) {
    Block analysis = parts.analysis;
    List<ProgramAllocation> allocations = parts.allocations == null ? List.of() : parts.allocations;
    List<Finding> all = new ArrayList<>(parts.findings);
    if (parts.reportedBytes >= 0 && !allocations.isEmpty()) {
      long sum = bytes(allocations);
      compare("the memory usage report", OptionalLong.of(parts.reportedBytes), sum, all);
    }
    if (analysis != null && !allocations.isEmpty()) {
      compare("arguments", analysis.statistics().of("argument"), argumentBytes(allocations), all);
      compare(
          "temporary memory",
          analysis.statistics().of("temp"),
          bytes(allocations, AllocationUse.TEMPORARY),
          all);
    }
    return new CompiledProgram(
        name,
        allocations,
        Optional.ofNullable(parts.liveRanges),
        Optional.ofNullable(parts.text),
        analysis == null || !analysis.hasStatistics()
            ? Optional.empty()
            : Optional.of(analysis.statistics()),
        analysis == null ? new HashMap<>() : analysis.costs(),
        all);
  }

  private static void compare(String what, OptionalLong stated, long sum, List<Finding> findings) {
    if (stated.isPresent() && stated.getAsLong() != sum) {
      findings.add(differ(what, stated.getAsLong(), sum));
    }
  }

  private static Finding differ(String what, long stated, long sum) {
    return FindingKind.PROGRAM_SUMS_DIFFER.finding(
        1,
        String.format(
            Locale.ROOT, "%s is stated as %d B, and its parts have %d B", what, stated, sum));
  }
}
