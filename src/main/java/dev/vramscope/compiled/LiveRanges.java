package dev.vramscope.compiled;

import java.util.List;
import java.util.Map;

/**
 * When each buffer is needed.
 *
 * @param instructions in the order of the program
 * @param ranges by {@link ProgramBuffer#key()}
 * @param peakPosition where most bytes are live, as the file states it; -1 if it does not
 * @param peakBytes the sum that the file states; -1 if it does not
 */
public record LiveRanges(
    List<String> instructions, Map<String, Range> ranges, int peakPosition, long peakBytes) {
  /**
   * From the position that defines a buffer to the last that reads it, both included.
   *
   * @param start the first position
   * @param end the last position
   */
  public record Range(int start, int end) {
    public boolean contains(int position) {
      return start <= position && position <= end;
    }
  }

  public LiveRanges {
    instructions = List.copyOf(instructions);
    ranges = Map.copyOf(ranges);
  }

  /** The number of positions. */
  public int length() {
    int last = ranges.values().stream().mapToInt(Range::end).max().orElse(-1) + 1;
    return Math.max(instructions.size(), last);
  }

  /** The instruction at a position; empty if it is the end of the program. */
  public String instruction(int position) {
    return position >= 0 && position < instructions.size() ? instructions.get(position) : "";
  }
}
