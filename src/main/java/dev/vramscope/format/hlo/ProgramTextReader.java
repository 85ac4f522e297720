package dev.vramscope.format.hlo;

import dev.vramscope.compiled.ProgramInstruction;
import dev.vramscope.compiled.ProgramText;
import dev.vramscope.format.FormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the text of a module: its head, the table of source lines, and each instruction. */
final class ProgramTextReader {
  private static final Pattern ALIAS =
      Pattern.compile("\\{([\\d, ]*)\\}: \\((\\d+), \\{([\\d, ]*)\\}");

  // Quotes in a name are escaped.
  private static final Pattern OPERATION = Pattern.compile("op_name=\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern SOURCE =
      Pattern.compile("source_file=\"((?:[^\"\\\\]|\\\\.)*)\"(?: source_line=(\\d+))?");
  private static final Pattern FRAME = Pattern.compile("stack_frame_id=(\\d{1,9})");
  private static final Pattern OPCODE = Pattern.compile("([a-z][a-z0-9-]*)\\(.*");

  private final HloLines lines;
  private final SourceFrames frames = new SourceFrames();
  private final Map<String, ProgramInstruction> instructions = new HashMap<>();

  ProgramTextReader(HloLines lines) {
    this.lines = lines;
  }

  /**
   * Reads to the end of the file.
   *
   * @param head the line that begins with {@code HloModule}
   */
  ProgramText read(String head) throws IOException, FormatException {
    for (String line = lines.next(); line != null; line = lines.next()) {
      if (!frames.add(line)) {
        addInstruction(line);
      }
    }
    String layout = within(head, "entry_computation_layout={", '{', '}');
    int arrow = HloShapes.end(layout, 0);
    List<String> arguments =
        layout.isEmpty() ? List.of() : HloShapes.parts(layout.substring(0, arrow));
    String result = layout.startsWith("->", arrow) ? layout.substring(arrow + 2) : "";
    List<String> outputs = result.startsWith("(") ? HloShapes.parts(result) : List.of(result);
    return new ProgramText(
        moduleName(head),
        arguments,
        result.isEmpty() ? List.of() : outputs,
        aliases(head),
        instructions);
  }

  static String moduleName(String head) {
    return head.substring("HloModule ".length()).split("[,\\s]", 2)[0];
  }

  /** Output numbers of the top level; an output inside an inner tuple has no number of its own. */
  private static Map<Integer, Integer> aliases(String head) {
    Map<Integer, Integer> aliases = new HashMap<>();
    Matcher matcher = ALIAS.matcher(within(head, "input_output_alias={", '{', '}'));
    while (matcher.find()) {
      String output = matcher.group(1).strip();
      if (!output.contains(",") && output.length() < 9 && matcher.group(2).length() < 9) {
        aliases.put(
            output.isEmpty() ? 0 : Integer.parseInt(output), Integer.parseInt(matcher.group(2)));
      }
    }
    return aliases;
  }

  /** The text between a beginning and the bracket that closes it. */
  private static String within(String text, String begin, char open, char close) {
    int start = text.indexOf(begin);
    if (start < 0) {
      return "";
    }
    start += begin.length();
    int depth = 1;
    for (int i = start; i < text.length(); i++) {
      depth += text.charAt(i) == open ? 1 : text.charAt(i) == close ? -1 : 0;
      if (depth == 0) {
        return text.substring(start, i);
      }
    }
    return "";
  }

  /** {@code [ROOT] %NAME = SHAPE OPCODE(...), ..., metadata={...}}. */
  private void addInstruction(String line) throws FormatException {
    if (!line.startsWith(" ")) {
      return;
    }
    String text = line.strip();
    text = text.startsWith("ROOT ") ? text.substring("ROOT ".length()) : text;
    int equals = text.indexOf(" = ");
    if (equals < 1 || text.substring(0, equals).indexOf(' ') >= 0) {
      return;
    }
    String name = text.substring(text.charAt(0) == '%' ? 1 : 0, equals);
    int shapeEnd = HloShapes.end(text, equals + " = ".length());
    String shape = text.substring(equals + " = ".length(), shapeEnd);
    Matcher opcode = OPCODE.matcher(text.substring(shapeEnd).strip());
    lines.count();
    int metadata = text.lastIndexOf(", metadata={");
    String about = metadata < 0 ? "" : text.substring(metadata);
    Matcher operation = OPERATION.matcher(about);
    List<String> source = new ArrayList<>();
    Matcher frame = FRAME.matcher(about);
    if (frame.find()) {
      source.addAll(frames.stack(Integer.parseInt(frame.group(1))));
    }
    Matcher file = SOURCE.matcher(about);
    if (source.isEmpty() && file.find()) {
      source.add(file.group(1) + (file.group(2) == null ? "" : ":" + file.group(2)));
    }
    instructions.put(
        name,
        new ProgramInstruction(
            shape.startsWith("(") ? "tuple" : shape,
            opcode.matches() ? opcode.group(1) : "",
            operation.find() ? operation.group(1).replaceAll("\\\\(.)", "$1") : "",
            source));
  }
}
