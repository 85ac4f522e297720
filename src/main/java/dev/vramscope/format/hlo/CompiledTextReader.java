package dev.vramscope.format.hlo;

import dev.vramscope.compiled.CompiledFile;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the texts of one upload: one file, or several with a line before each. */
public final class CompiledTextReader {
  /** What the head of such a text has; see {@link #isOne}. */
  private static final Pattern HEAD =
      Pattern.compile(
          "\\A\\s*(?:==> \\S[^\\r"
              + "\\n"
              + "]* <==\\s*)?(?:BufferAssignment:\\s*\\R|HloLiveRange \\(max|HloModule"
              + " [^\\s,]+|Memory Space: [^\\r"
              + "\\n"
              + "]*\\(color=|Total bytes used: \\d+ \\()|\\A\\s*==> [^\\r"
              + "\\n"
              + "]*(?:after_optimizations|buffer-assignment|live-range)[^\\r"
              + "\\n"
              + "]* <==");

  private static final Pattern STATISTICS =
      Pattern.compile(
          "\\A(?:[^\\r\\n]{0,200}\\R){0,4}[^\\r\\n]{0,100}"
              + "(?:CompiledMemoryStats\\(|['\"]?(?:temp|argument|alias|output|generated_code)"
              + "_size_in_bytes|[{,] ?['\"]bytes accessed|\\{['\"](?:flops|utilization))");

  private static final Pattern TOTAL = Pattern.compile("Total bytes(?: used)?: (\\d{1,17}) .*");

  private static final Pattern UNUSABLE =
      Pattern.compile("\\A[^\\r\\n]{0,400}[Ss]ome donated buffers were not usable: ");

  private final HloLines lines;
  private final ProgramParts parts = new ProgramParts();

  private CompiledTextReader(InputStream in, ReadLimits limits) {
    lines = new HloLines(in, limits);
  }

  /** Whether a file that begins with this text is one that {@link #read} reads. */
  public static boolean isOne(String head) {
    boolean isLog = head.contains("RESOURCE_EXHAUSTED") || head.contains("ut of memory");
    return HEAD.matcher(head).find()
        || (!isLog && (STATISTICS.matcher(head).find() || UNUSABLE.matcher(head).find()));
  }

  /** Whether a file of a folder of {@code --xla_dump_to} has something that is read. */
  public static boolean isUseful(String name) {
    return FileNames.isUseful(name);
  }

  /** The line before a file among several. */
  public static String separator(String name) {
    return "==> " + name.replaceAll("\\p{Cntrl}", "_") + " <==\n";
  }

  /**
   * Reads an uncompressed text.
   *
   * @throws FormatException if no part of it says anything about a program, or a part contradicts
   *     itself
   */
  public static CompiledFile read(InputStream in, ReadLimits limits)
      throws IOException, FormatException {
    CompiledTextReader reader = new CompiledTextReader(in, limits);
    reader.readAll();
    CompiledFile file = reader.parts.file();
    if (file.programs().isEmpty() && file.unusableDonations().isEmpty()) {
      throw new FormatException(
          Reason.MALFORMED,
          "the text has no allocation, no live range, no instruction and no sum of a program",
          "line 1",
          "Upload a file buffer-assignment.txt of --xla_dump_to, or the whole folder as a zip.");
    }
    return file;
  }

  private void readAll() throws IOException, FormatException {
    for (String line = lines.any(); line != null; line = lines.any()) {
      String name = FileNames.separated(line);
      if (name != null) {
        lines.setFile(name);
        parts.setFile(name);
      } else if (!line.isBlank()) {
        readFile(line);
      }
    }
  }

  private void readFile(String first) throws IOException, FormatException {
    String text = first.replaceFirst("^\uFEFF", "");
    if (text.startsWith("BufferAssignment:") || text.startsWith("allocation ")) {
      AssignmentText assignment = new AssignmentText(lines);
      assignment.read(text);
      parts.add(assignment);
    } else if (text.startsWith("HloLiveRange (max")) {
      LiveRangeText ranges = new LiveRangeText(lines);
      parts.add(ranges.read(), ranges.isComplete());
    } else if (text.startsWith("HloModule ")) {
      parts.add(new ProgramTextReader(lines).read(text));
    } else if (text.startsWith("Memory Space: ") || text.startsWith("Total bytes used: ")) {
      readReport(text);
    } else {
      MemoryAnalysisText analysis = new MemoryAnalysisText(lines);
      analysis.read(text);
      parts.add(analysis);
    }
  }

  /** A report of what the assignment and the live ranges say exactly: its totals are a check. */
  private void readReport(String first) throws IOException {
    long total = 0;
    boolean hasTotal = false;
    for (String line = first; line != null; line = lines.next()) {
      Matcher matcher = TOTAL.matcher(line);
      if (matcher.matches()) {
        total += Long.parseLong(matcher.group(1));
        hasTotal = true;
      }
    }
    if (hasTotal) {
      parts.addTotal(total);
    }
  }
}
