package dev.vramscope.format.hlo;

import dev.vramscope.compiled.LiveRanges;
import dev.vramscope.compiled.LiveRanges.Range;
import dev.vramscope.format.FormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the order of a program and the live range of each buffer. */
final class LiveRangeText {
  private static final Pattern PEAK = Pattern.compile("Live ranges at (\\d{1,9}) \\(peak\\):.*");
  private static final Pattern CUMULATIVE =
      Pattern.compile(".*\\(cumulative: (\\d{1,18}) bytes\\)");

  private enum Part {
    BEFORE,
    INSTRUCTIONS,
    RANGES,
    PEAK,
    AFTER
  }

  private final HloLines lines;
  private final List<String> instructions = new ArrayList<>();
  private final Map<String, Range> ranges = new HashMap<>();
  private int peakPosition = -1;
  private long peakBytes = -1;
  private Part part = Part.BEFORE;
  private boolean isComplete = true;

  LiveRangeText(HloLines lines) {
    this.lines = lines;
  }

  /** Reads to the end of the file. */
  LiveRanges read() throws IOException, FormatException {
    for (String line = lines.next(); line != null; line = lines.next()) {
      String text = line.strip();
      if (text.equals("InstructionSequence:")) {
        part = Part.INSTRUCTIONS;
      } else if (text.equals("BufferLiveRange:")) {
        part = Part.RANGES;
      } else if (text.startsWith("Live ranges at ")) {
        Matcher peak = PEAK.matcher(text);
        peakPosition = peak.matches() ? Integer.parseInt(peak.group(1)) : -1;
        part = Part.PEAK;
      } else if (text.startsWith("Stack trace breakdown")) {
        part = Part.AFTER;
      } else if (!text.isEmpty()) {
        add(text);
      }
    }
    isComplete &= part != Part.BEFORE && part != Part.INSTRUCTIONS;
    return new LiveRanges(instructions, ranges, peakPosition, peakBytes);
  }

  boolean isComplete() {
    return isComplete;
  }

  private void add(String text) throws FormatException {
    switch (part) {
      case INSTRUCTIONS -> {
        lines.count();
        int colon = text.indexOf(':');
        isComplete &= colon >= 0;
        instructions.add(text.substring(colon + 1));
      }
      case RANGES -> addRange(text);
      case PEAK -> {
        Matcher cumulative = CUMULATIVE.matcher(text);
        if (cumulative.matches()) {
          peakBytes = Long.parseLong(cumulative.group(1));
        }
      }
      default -> {}
    }
  }

  /** {@code NAME{INDEX}:START-END}. */
  private void addRange(String text) throws FormatException {
    int colon = text.lastIndexOf(':');
    int dash = text.indexOf('-', colon);
    if (colon < 0 || dash < 0) {
      isComplete = false;
      return;
    }
    lines.count();
    int start = position(text.substring(colon + 1, dash));
    int end = position(text.substring(dash + 1));
    if (end < start) {
      throw lines.malformed(
          "the live range " + text.substring(colon + 1) + " ends before it begins");
    }
    ranges.put(text.substring(0, colon), new Range(start, end));
  }

  private int position(String digits) throws FormatException {
    try {
      int position = Integer.parseInt(digits);
      if (position >= 0) {
        return position;
      }
    } catch (NumberFormatException none) {
      // Said below.
    }
    throw lines.malformed("a live range has no position");
  }
}
