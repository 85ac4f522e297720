package dev.vramscope;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The packages below {@code dev.vramscope} and the packages each may depend on. This table is the
 * architecture: {@link ArchitectureTest} checks the code against it, and {@link
 * ArchitectureDocumentTest} checks {@code docs/architecture.md} and its picture. Change the table
 * and the code together.
 */
final class Architecture {
  static final String ROOT_PACKAGE = "dev.vramscope";

  /**
   * One top-level package.
   *
   * @param name below {@link #ROOT_PACKAGE}
   * @param holds what is in it, in a few words
   * @param mayUse the packages it may depend on besides itself, the JDK and libraries; a name with
   *     a dot allows that sub-package only
   * @param usesSpring whether it may depend on Spring, JDBC or H2
   */
  record PackageRule(String name, String holds, List<String> mayUse, boolean usesSpring) {}

  static final List<PackageRule> PACKAGES =
      List.of(
          plain("model", "immutable facts: snapshots, segments, blocks, traces, stacks"),
          plain("work", "long computations take turns: queues, shares, cancellation"),
          plain("device", "a GPU through JCuda (cuda), or a simulated one (sim)"),
          plain("evidence", "what a log line, nvidia-smi or a name says about a device"),
          plain("compiled", "programs that XLA compiled: what their memory is for", "model"),
          plain(
              "format",
              "file formats of PyTorch, XLA and others, read and written",
              // A dump in a log has the same numbers with units as the log's messages.
              "compiled",
              "evidence",
              "model"),
          plain(
              "analysis",
              "pure functions of the model: ledger, timeline, sites",
              "evidence",
              "model"),
          plain(
              "explain",
              "what logs say about failed requests, and what follows",
              "analysis",
              "evidence",
              "model",
              "postmortem.program",
              "work"),
          plain("allocator", "caching (PyTorch), bfc (XLA), direct, pinned", "device", "model"),
          plain(
              "whatif",
              "recorded runs replayed under other settings",
              "allocator",
              "analysis",
              "device",
              "model",
              "work"),
          plain(
              "postmortem",
              "why a request failed",
              "analysis",
              "budget",
              "model",
              "whatif",
              "work"),
          plain(
              "plan",
              "what a program needs at sizes that were never run",
              "analysis",
              "inspection",
              "model",
              "whatif"),
          plain(
              "report",
              "what a snapshot or a log says, as one document",
              "analysis",
              "evidence",
              "explain",
              "inspection",
              "model",
              "plan",
              "postmortem",
              "whatif"),
          plain("budget", "live memory by use, beside what is expected", "analysis", "model"),
          plain(
              "inspection",
              "what is known about one snapshot, each answer computed once",
              "analysis",
              "budget",
              "evidence",
              "model",
              "postmortem",
              "whatif"),
          plain("recorder", "event history with stacks, as snapshots", "allocator", "model"),
          plain("replay", "traces run through the allocators", "allocator", "device", "model"),
          spring("store", "H2 database, compressed columns, original files", "evidence", "model"),
          spring(
              "intake",
              "uploads and logs: limits, format detection, parsing",
              "analysis",
              "compiled",
              "format",
              "store",
              "model",
              "work"),
          spring(
              "live",
              "hosted allocators, workloads, event feed, lab",
              "allocator",
              "device",
              "recorder",
              "store",
              "analysis",
              "model",
              "work",
              // A failed request's snapshot is stored as an upload is: with a file PyTorch reads.
              "format.export"),
          spring(
              "web",
              "pages, REST, errors, access control",
              "allocator",
              "analysis",
              "budget",
              "compiled",
              "device",
              "evidence",
              "explain",
              "format",
              "inspection",
              "intake",
              "live",
              "model",
              "plan",
              "postmortem",
              "recorder",
              "report",
              "store",
              "whatif",
              "work"),
          spring(
              "cli",
              "commands, one class each, in the same jar",
              "allocator",
              "analysis",
              "device",
              "inspection",
              "intake",
              "live",
              "format",
              "model",
              "plan",
              "postmortem",
              "replay",
              "report",
              "store",
              "whatif"));

  private static final Map<String, PackageRule> BY_NAME =
      PACKAGES.stream().collect(Collectors.toMap(PackageRule::name, Function.identity()));

  private Architecture() {}

  private static PackageRule plain(String name, String holds, String... mayUse) {
    return new PackageRule(name, holds, List.of(mayUse), false);
  }

  private static PackageRule spring(String name, String holds, String... mayUse) {
    return new PackageRule(name, holds, List.of(mayUse), true);
  }

  /** The top-level packages that a package may use, without sub-packages. */
  static List<PackageRule> uses(PackageRule rule) {
    return rule.mayUse().stream().map(use -> BY_NAME.get(use.split("\\.")[0])).distinct().toList();
  }

  /** 0 for a package that uses none, otherwise one more than the highest package that it uses. */
  static int level(PackageRule rule) {
    return uses(rule).stream().mapToInt(used -> level(used) + 1).max().orElse(0);
  }

  /** What a package uses, less what it uses through another one: the arrows of the picture. */
  static List<PackageRule> usesDirectly(PackageRule rule) {
    List<PackageRule> direct = new ArrayList<>(uses(rule));
    direct.removeIf(
        used -> uses(rule).stream().anyMatch(other -> !other.equals(used) && reaches(other, used)));
    return direct;
  }

  private static boolean reaches(PackageRule from, PackageRule to) {
    return uses(from).stream().anyMatch(used -> used.equals(to) || reaches(used, to));
  }

  /** The packages in levels, the highest first. */
  static List<List<PackageRule>> levels() {
    return PACKAGES.stream().collect(Collectors.groupingBy(Architecture::level)).entrySet().stream()
        .sorted(Map.Entry.<Integer, List<PackageRule>>comparingByKey(Comparator.reverseOrder()))
        .map(Map.Entry::getValue)
        .toList();
  }
}
