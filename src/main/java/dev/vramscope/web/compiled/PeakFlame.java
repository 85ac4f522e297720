package dev.vramscope.web.compiled;

import dev.vramscope.compiled.CompiledProgram;
import dev.vramscope.compiled.PeakMoment;
import dev.vramscope.compiled.ProgramInstruction;
import dev.vramscope.web.display.DisplayFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What is live at the peak as a flame graph: the outermost scope or caller on top.
 *
 * @param rows the number of rows
 * @param bars percentages of the width, and rows from the top
 */
public record PeakFlame(int rows, List<Bar> bars) {
  private static final DisplayFormat FORMAT = new DisplayFormat();
  private static final int MOST_ROWS = 24;

  /** Narrower bars, in percent, are not told apart. */
  private static final double NARROWEST = 0.15;

  /** A name with all buffers below it. */
  public record Bar(double left, double width, int row, int colour, String label, String text) {}

  private static final class Node {
    private long bytes;
    private long count;
    private final Map<String, Node> children = new LinkedHashMap<>();
  }

  /** By the path of the operation; empty if no instruction has one. */
  static Optional<PeakFlame> ofOperations(CompiledProgram program, PeakMoment peak) {
    return of(
        program,
        peak,
        instruction ->
            instruction.operation().isEmpty()
                ? List.of()
                : Arrays.asList(instruction.operation().split("/(?![^(\\[]*[)\\]])")));
  }

  /** By the lines of code; empty if no instruction has one. */
  static Optional<PeakFlame> ofLines(CompiledProgram program, PeakMoment peak) {
    return of(program, peak, instruction -> instruction.source().reversed());
  }

  private static Optional<PeakFlame> of(
      CompiledProgram program, PeakMoment peak, Function<ProgramInstruction, List<String>> path) {
    Node root = new Node();
    boolean hasPath = false;
    for (PeakMoment.LiveBuffer live : peak.buffers()) {
      Optional<ProgramInstruction> instruction = program.instruction(live.buffer().instruction());
      List<String> names = new ArrayList<>(instruction.map(path).orElse(List.of()));
      hasPath |= !names.isEmpty();
      if (instruction.map(each -> each.opcode().equals("parameter")).orElse(false)) {
        names.addFirst(live.use().isOfCaller() ? "arguments" : ProgramInstruction.STATE);
      }
      if (names.isEmpty()) {
        names.add("not stated");
      }
      Node node = root;
      add(node, live);
      for (String name : names.subList(0, Math.min(MOST_ROWS - 1, names.size()))) {
        node = node.children.computeIfAbsent(name, _ -> new Node());
        add(node, live);
      }
    }
    List<Bar> bars = new ArrayList<>();
    lay(root, "live at the peak", 0, 0, root.bytes, bars);
    int rows = bars.stream().mapToInt(Bar::row).max().orElse(0) + 1;
    return hasPath && root.bytes > 0 ? Optional.of(new PeakFlame(rows, bars)) : Optional.empty();
  }

  private static void add(Node node, PeakMoment.LiveBuffer live) {
    node.bytes += live.buffer().bytes();
    node.count++;
  }

  private static void lay(
      Node node, String name, double left, int row, long whole, List<Bar> bars) {
    double width = 100.0 * node.bytes / whole;
    if (!(width >= NARROWEST)) {
      return;
    }
    bars.add(
        new Bar(
            left,
            width,
            row,
            1 + Math.floorMod(name.hashCode(), 7),
            width < 3 ? "" : FORMAT.elided(name, (int) (width * 1.5)),
            name
                + "\n"
                + FORMAT.bytes(node.bytes)
                + " ("
                + FORMAT.share(node.bytes, whole)
                + ") in "
                + FORMAT.counted(node.count, "buffer")));
    double x = left;
    for (Map.Entry<String, Node> each :
        node.children.entrySet().stream()
            .sorted(
                Comparator.comparingLong((Map.Entry<String, Node> child) -> child.getValue().bytes)
                    .reversed())
            .toList()) {
      lay(each.getValue(), each.getKey(), x, row + 1, whole, bars);
      x += 100.0 * each.getValue().bytes / whole;
    }
  }
}
