package dev.vramscope.format.hlo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tables of source lines that newer releases write before the computations: names of files and
 * functions, lines, and frames that refer to their callers.
 */
final class SourceFrames {
  private static final int MAX_DEPTH = 100;
  private static final Pattern NAME = Pattern.compile("(\\d{1,9}) \"(.*)\"");
  private static final Pattern LOCATION =
      Pattern.compile(
          "(\\d{1,9}) \\{file_name_id=(\\d{1,9}) function_name_id=(\\d{1,9}) line=(\\d{1,9}).*");
  private static final Pattern FRAME =
      Pattern.compile(
          "(\\d{1,9}) \\{file_location_id=(\\d{1,9})(?: parent_frame_id=(\\d{1,9}))?.*");

  private record Location(int file, int function, int line) {}

  private record StackFrame(int location, int parent) {}

  private final Map<Integer, String> files = new HashMap<>();
  private final Map<Integer, String> functions = new HashMap<>();
  private final Map<Integer, Location> locations = new HashMap<>();
  private final Map<Integer, StackFrame> frames = new HashMap<>();
  private final Map<Integer, List<String>> stacks = new HashMap<>();
  private String table = "";

  /**
   * Whether 1 stands for no parent, 2 for frame 1, and so on: no frame is its own parent, but the
   * first one is written so.
   */
  private boolean isParentShifted;

  /** Adds a line of a table; returns false for another line. */
  boolean add(String line) {
    if (line.equals("FileNames")
        || line.equals("FunctionNames")
        || line.equals("FileLocations")
        || line.equals("StackFrames")) {
      table = line;
      return true;
    }
    if (table.isEmpty() || line.isEmpty() || !Character.isDigit(line.charAt(0))) {
      table = line.isEmpty() ? table : "";
      return false;
    }
    if (table.equals("FileLocations")) {
      addLocation(LOCATION.matcher(line));
    } else if (table.equals("StackFrames")) {
      addFrame(FRAME.matcher(line));
    } else {
      addName(table.equals("FileNames") ? files : functions, NAME.matcher(line));
    }
    return true;
  }

  private static void addName(Map<Integer, String> names, Matcher matcher) {
    if (matcher.matches()) {
      names.put(Integer.parseInt(matcher.group(1)), matcher.group(2));
    }
  }

  private void addLocation(Matcher matcher) {
    if (matcher.matches()) {
      locations.put(
          Integer.parseInt(matcher.group(1)),
          new Location(
              Integer.parseInt(matcher.group(2)),
              Integer.parseInt(matcher.group(3)),
              Integer.parseInt(matcher.group(4))));
    }
  }

  private void addFrame(Matcher matcher) {
    if (matcher.matches()) {
      int id = Integer.parseInt(matcher.group(1));
      int parent = matcher.group(3) == null ? 0 : Integer.parseInt(matcher.group(3));
      isParentShifted |= parent == id;
      frames.put(id, new StackFrame(Integer.parseInt(matcher.group(2)), parent));
    }
  }

  /** The stack of a frame, innermost first: {@code function file:line}. */
  List<String> stack(int id) {
    List<String> known = stacks.get(id);
    if (known != null) {
      return known;
    }
    List<String> stack = new ArrayList<>();
    int each = id;
    while (stack.size() < MAX_DEPTH) {
      StackFrame frame = frames.get(each);
      Location location = frame == null ? null : locations.get(frame.location());
      if (frame == null || location == null) {
        break;
      }
      stack.add(
          functions.getOrDefault(location.function(), "")
              + " "
              + files.getOrDefault(location.file(), "")
              + ":"
              + location.line());
      each = isParentShifted ? frame.parent() - 1 : frame.parent();
    }
    stacks.put(id, stack);
    return stack;
  }
}
