package dev.vramscope.format.plot;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.Frame;
import dev.vramscope.model.LongColumn;
import dev.vramscope.model.StackTable;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The stacks of a page. A row of {@code suffix_table} is a frame and the row of its callers, which
 * is an earlier one, so that there is no cycle.
 */
final class PlotStacks {
  /** {@code file:line:function}; the file may have a colon, too. */
  private static final Pattern FRAME =
      Pattern.compile("(.{0,4000}?):(-?[0-9]{1,20}):(.*)", Pattern.DOTALL);

  /** {@code file(line): function}, as the profiler names its events. */
  private static final Pattern PROFILED =
      Pattern.compile("(.{0,4000}?)\\(([0-9]{1,9})\\): (.*)", Pattern.DOTALL);

  private static final int UNKNOWN = -1;

  private final PlotTables tables;
  private final LongColumn texts;
  private final LongColumn rests;
  private final StackTable.Builder stacks = new StackTable.Builder();
  private final int maxNodes;
  private final int maxFrames;

  /** The node of each row, and the frame of each text, once it is known. */
  private final int[] nodes;

  private final int[] frames;
  private int[] path = new int[64];

  PlotStacks(PlotTables tables, ReadLimits limits) throws FormatException {
    this.tables = tables;
    tables.requireSameLength("suffix_table.0", "suffix_table.1");
    texts = tables.column("suffix_table.0");
    rests = tables.column("suffix_table.1");
    maxNodes = limits.maxStackNodes();
    maxFrames = limits.maxStackFrames();
    nodes = new int[texts.size()];
    Arrays.fill(nodes, UNKNOWN);
    frames = new int[tables.textCount()];
    Arrays.fill(frames, UNKNOWN);
  }

  /** The first text of a list of lines. */
  String text(long row) throws FormatException {
    long text = texts.get(requireRow(row));
    if (text < 0 || text >= tables.textCount()) {
      throw PlotTables.malformed(
          "a row names text " + text + " of " + tables.textCount(), "suffix_table[" + row + "]");
    }
    return tables.text((int) text);
  }

  /** The rest of the lines; {@link PlotTables#NONE} if there is none. */
  long rest(long row) throws FormatException {
    long rest = rests.get(requireRow(row));
    if (rest < PlotTables.NONE || rest >= row) {
      throw PlotTables.malformed("a row is followed by row " + rest, "suffix_table[" + row + "]");
    }
    return rest;
  }

  private int requireRow(long row) throws FormatException {
    if (row < 0 || row >= texts.size()) {
      throw PlotTables.malformed("there is no row " + row + " of " + texts.size(), "suffix_table");
    }
    return (int) row;
  }

  /** The stack whose innermost frame is this row. */
  int stack(long row) throws FormatException {
    int depth = 0;
    long at = row;
    while (at != PlotTables.NONE && nodes[requireRow(at)] == UNKNOWN) {
      if (depth == maxFrames) {
        throw PlotTables.tooMany("frames in one stack", maxFrames);
      }
      if (depth == path.length) {
        path = Arrays.copyOf(path, depth * 2);
      }
      path[depth++] = (int) at;
      at = rest(at);
    }
    int node = at == PlotTables.NONE ? StackTable.NONE : nodes[(int) at];
    if (stacks.depth(node) + depth > maxFrames) {
      throw PlotTables.tooMany("frames in one stack", maxFrames);
    }
    while (depth > 0) {
      int each = path[--depth];
      node = stacks.child(node, frame(each));
      nodes[each] = node;
      if (stacks.nodeCount() > maxNodes) {
        throw PlotTables.tooMany("nodes in its stacks", maxNodes);
      }
    }
    return node;
  }

  private int frame(int row) throws FormatException {
    String line = text(row);
    int text = (int) texts.get(row);
    if (frames[text] == UNKNOWN) {
      frames[text] = stacks.newFrame(frame(line));
    }
    return frames[text];
  }

  private static Frame frame(String line) {
    Matcher profiled = PROFILED.matcher(line);
    if (profiled.matches()) {
      return new Frame(profiled.group(3), profiled.group(1), Integer.parseInt(profiled.group(2)));
    }
    Matcher written = FRAME.matcher(line);
    return written.matches()
        ? new Frame(written.group(3), written.group(1), line(written.group(2)))
        : new Frame(line, "", 0);
  }

  /** PyTorch writes 2^64-1 where it knows no line. */
  private static int line(String digits) {
    try {
      return Math.max(0, Integer.parseInt(digits));
    } catch (NumberFormatException none) {
      return 0;
    }
  }

  StackTable build() {
    return stacks.build();
  }
}
