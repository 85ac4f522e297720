package dev.vramscope.format.hlo;

import dev.vramscope.compiled.AllocationUse;
import dev.vramscope.compiled.ProgramAllocation;
import dev.vramscope.compiled.ProgramBuffer;
import dev.vramscope.format.FormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a buffer assignment: allocations, each with its values. */
final class AssignmentText {
  static final Pattern ALLOCATION = Pattern.compile("allocation (\\d+): size (\\d+)(.*)");

  // Releases before 2023 write shapes without bars.
  private static final Pattern PARAMETER =
      Pattern.compile(
          ", parameter (\\d+), shape (?:\\|([^|]*)\\||(.*?)) at ShapeIndex \\{[\\d,]*\\}");
  private static final Pattern OUTPUT =
      Pattern.compile(
          ", output shape is (?:\\|([^|]*)\\||(.*?)(?=, constant|, thread-local|, maybe-live-out"
              + "|, preallocated-temp|:\\s*$))");
  private static final Pattern COLOR = Pattern.compile(", color (\\d+)");
  private static final Pattern TOTAL = Pattern.compile("Total bytes used: (\\d+).*");

  private final HloLines lines;
  private final List<ProgramAllocation> allocations = new ArrayList<>();
  private List<ProgramBuffer> buffers = new ArrayList<>();
  private @Nullable ProgramAllocation allocation;
  private long totalBytes = -1;
  private boolean isComplete = true;

  AssignmentText(HloLines lines) {
    this.lines = lines;
  }

  /**
   * Reads to the end of the file.
   *
   * @param first its first line with text
   */
  void read(String first) throws IOException, FormatException {
    for (String line = first; line != null; line = lines.next()) {
      String text = line.strip();
      if (text.startsWith("value: ")) {
        addValue(text);
      } else if (text.startsWith("allocation ")) {
        addAllocation(text);
      } else if (text.startsWith("Total bytes used: ")) {
        Matcher total = TOTAL.matcher(text);
        totalBytes = total.matches() ? number(total.group(1)) : -1;
      } else if (text.startsWith("Used values:")) {
        skip();
        break;
      }
    }
    end();
  }

  /** Older releases write all values and their uses into the same file. */
  private void skip() throws IOException {
    String line = lines.next();
    while (line != null) {
      line = lines.next(); // The allocations have said where each value is.
    }
  }

  List<ProgramAllocation> allocations() {
    return allocations;
  }

  /** The total that the file states, or -1. */
  long totalBytes() {
    return totalBytes;
  }

  /** Whether each line of an allocation or a value was whole. */
  boolean isComplete() {
    return isComplete;
  }

  private void addAllocation(String text) throws FormatException {
    Matcher matcher = ALLOCATION.matcher(text);
    if (!matcher.matches()) {
      isComplete = false; // The last line of a file that ends early.
      return;
    }
    end();
    lines.count();
    String rest = matcher.group(3);
    Matcher parameter = PARAMETER.matcher(rest);
    boolean isParameter = parameter.find();
    Matcher output = OUTPUT.matcher(rest);
    Matcher color = COLOR.matcher(rest);
    allocation =
        new ProgramAllocation(
            (int) number(matcher.group(1)),
            number(matcher.group(2)),
            color.lookingAt() ? (int) number(color.group(1)) : 0,
            use(rest.replaceAll("\\|[^|]*\\|", ""), isParameter),
            isParameter ? (int) number(parameter.group(1)) : -1,
            isParameter ? shape(parameter, 2) : output.find() ? shape(output, 1) : "",
            List.of());
  }

  private static String shape(Matcher matcher, int group) {
    String shape = matcher.group(group);
    return shape == null ? matcher.group(group + 1) : shape;
  }

  private static AllocationUse use(String flags, boolean isParameter) {
    boolean isLiveOut = flags.contains(", maybe-live-out");
    if (isParameter) {
      return isLiveOut ? AllocationUse.ALIASED : AllocationUse.ARGUMENT;
    }
    if (flags.contains(", constant")) {
      return AllocationUse.CONSTANT;
    }
    if (flags.contains(", thread-local")) {
      return AllocationUse.THREAD_LOCAL;
    }
    return isLiveOut ? AllocationUse.OUTPUT : AllocationUse.TEMPORARY;
  }

  /** {@code value: <ID NAME{INDEX} @COLOR> (size=N,offset=N): SHAPE}. */
  private void addValue(String text) throws FormatException {
    int close = text.indexOf("> (size=");
    int open = text.indexOf('<');
    int comma = text.indexOf(",offset=", close);
    int end = text.indexOf("): ", comma);
    if (close < 0 || open < 0 || comma < 0 || end < 0) {
      isComplete = false;
      return;
    }
    if (allocation == null) {
      throw lines.malformed("a value is in no allocation");
    }
    lines.count();
    String value = text.substring(open + 1, close);
    int at = value.lastIndexOf(" @");
    String name = value.substring(value.indexOf(' ') + 1, at < 0 ? value.length() : at);
    name = name.endsWith(" (phi)") ? name.substring(0, name.length() - " (phi)".length()) : name;
    int brace = name.endsWith("}") ? name.lastIndexOf('{') : -1;
    ProgramBuffer buffer =
        new ProgramBuffer(
            brace < 0 ? name : name.substring(0, brace),
            brace < 0 ? "{}" : name.substring(brace),
            number(text.substring(close + "> (size=".length(), comma)),
            number(text.substring(comma + ",offset=".length(), end)),
            text.substring(end + "): ".length()));
    if (buffer.end() < 0 || buffer.end() > allocation.bytes()) {
      throw lines.malformed(
          "the value "
              + buffer.key()
              + " ends at byte "
              + buffer.end()
              + " of allocation "
              + allocation.index()
              + ", which has "
              + allocation.bytes());
    }
    buffers.add(buffer);
  }

  private long number(String digits) throws FormatException {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException tooLarge) {
      throw lines.malformed(
          "the number " + digits.substring(0, Math.min(40, digits.length())) + " is too large");
    }
  }

  private void end() {
    ProgramAllocation ended = allocation;
    if (ended != null) {
      allocations.add(
          new ProgramAllocation(
              ended.index(),
              ended.bytes(),
              ended.memorySpace(),
              ended.use(),
              ended.parameter(),
              ended.shape(),
              buffers));
    }
    allocation = null;
    buffers = new ArrayList<>();
  }
}
