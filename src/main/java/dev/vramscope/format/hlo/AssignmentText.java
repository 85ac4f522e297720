package dev.vramscope.format.hlo;

import dev.vramscope.compiled.AllocationUse;
import dev.vramscope.compiled.ProgramAllocation;
import dev.vramscope.compiled.ProgramBuffer;
import dev.vramscope.format.FormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a buffer assignment: allocations, each with its values. */
final class AssignmentText {
  // The first releases, of 2017 and 2018, write the address of the object before the size.
  static final Pattern ALLOCATION =
      Pattern.compile("allocation (\\d+): (0x[0-9a-f]+, )?size (\\d+)(.*)");

  // Releases before 2023 write shapes without bars, the first ones no shape.
  private static final Pattern PARAMETER =
      Pattern.compile(
          ", parameter (\\d+)(?:, shape (?:\\|([^|]*)\\||(.*?)) at ShapeIndex \\{[\\d,]*\\})?");
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
  private boolean isOfFirstReleases;

  /** Whether the last line that was read is none that is understood: where a file may end early. */
  private boolean isLastUnread;

  /** Values are those of an allocation that was not understood. */
  private boolean isSkipping;

  private long unreadLines;

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
      if (isLastUnread && !text.isEmpty()) {
        unreadLines++;
        isLastUnread = false;
      }
      if (text.startsWith("value: ")) {
        addValue(text);
      } else if (isOfFirstReleases && line.startsWith("  ") && allocation != null) {
        addFirstValue(text);
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
    isComplete &= !isLastUnread;
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

  /** Lines of allocations and values in a form that is not known, which are left out. */
  long unreadLines() {
    return unreadLines;
  }

  private void addAllocation(String text) throws FormatException {
    Matcher matcher = ALLOCATION.matcher(text);
    if (!matcher.matches()) {
      isLastUnread = true;
      isSkipping = true;
      end();
      return;
    }
    end();
    isSkipping = false;
    isOfFirstReleases = matcher.group(2) != null;
    lines.count();
    String rest = matcher.group(4);
    Matcher parameter = PARAMETER.matcher(rest);
    boolean isParameter = parameter.find();
    Matcher output = OUTPUT.matcher(rest);
    Matcher color = COLOR.matcher(rest);
    allocation =
        new ProgramAllocation(
            index(matcher.group(1)),
            number(matcher.group(3)),
            color.lookingAt() ? index(color.group(1)) : 0,
            use(rest.replaceAll("\\|[^|]*\\|", ""), isParameter),
            isParameter ? index(parameter.group(1)) : -1,
            isParameter ? shape(parameter, 2) : output.find() ? shape(output, 1) : "",
            List.of());
  }

  private static String shape(Matcher matcher, int group) {
    String shape = matcher.group(group);
    return shape == null ? Objects.requireNonNullElse(matcher.group(group + 1), "") : shape;
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
    if (close < 0 || open < 0 || comma < 0 || end < 0 || isSkipping) {
      isLastUnread = true;
      return;
    }
    String value = text.substring(open + 1, close);
    int at = value.lastIndexOf(" @");
    String name = value.substring(value.indexOf(' ') + 1, at < 0 ? value.length() : at);
    name = name.endsWith(" (phi)") ? name.substring(0, name.length() - " (phi)".length()) : name;
    int brace = name.endsWith("}") ? name.lastIndexOf('{') : -1;
    add(
        new ProgramBuffer(
            brace < 0 ? name : name.substring(0, brace),
            brace < 0 ? "{}" : name.substring(brace),
            number(text.substring(close + "> (size=".length(), comma)),
            number(text.substring(comma + ",offset=".length(), end)),
            text.substring(end + "): ".length())));
  }

  /** {@code NAME... [OFFSET,SIZE]: SHAPE}; what stands after the name differs by release. */
  private void addFirstValue(String text) throws FormatException {
    int end = text.indexOf("]: ");
    int open = text.lastIndexOf(" [", Math.max(0, end));
    int comma = text.indexOf(',', open);
    if (end < 0 || open < 1 || comma < 0 || comma > end) {
      isLastUnread = true;
      return;
    }
    add(
        new ProgramBuffer(
            text.split("[\\[({ ]", 2)[0],
            "{}",
            number(text.substring(comma + 1, end)),
            number(text.substring(open + " [".length(), comma)),
            text.substring(end + "]: ".length())));
  }

  private void add(ProgramBuffer buffer) throws FormatException {
    ProgramAllocation in = allocation;
    if (in == null) {
      throw lines.malformed("a value is in no allocation");
    }
    lines.count();
    if (buffer.end() < 0 || buffer.end() > in.bytes()) {
      throw lines.malformed(
          "the value "
              + buffer.key()
              + " ends at byte "
              + buffer.end()
              + " of allocation "
              + in.index()
              + ", which has "
              + in.bytes());
    }
    buffers.add(buffer);
  }

  private long number(String digits) throws FormatException {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException tooLarge) {
      throw tooLarge(digits);
    }
  }

  private int index(String digits) throws FormatException {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException tooLarge) {
      throw tooLarge(digits);
    }
  }

  private FormatException tooLarge(String digits) {
    return lines.malformed(
        "the number " + digits.substring(0, Math.min(40, digits.length())) + " is too large");
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
