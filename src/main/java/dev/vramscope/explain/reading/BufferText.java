package dev.vramscope.explain.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What XLA writes about a buffer, in short: the operation, the line of code, the shape. */
final class BufferText {
  /** Longer names are cut: fusions list their operands. */
  private static final int MAX = 160;

  private static final Pattern OPERATION = Pattern.compile("op_name=\"([^\"]{1,2000})\"");
  private static final Pattern SOURCE =
      Pattern.compile("source_file=\"([^\"]{1,1000})\" source_line=([0-9]{1,9})");
  private static final Pattern LABEL = Pattern.compile("XLA [Ll]abel: (\\S{1,500})");
  private static final Pattern SHAPE =
      Pattern.compile("(Shape|Subshape): ([a-z][a-z0-9]{1,15}\\[[0-9,<=]{0,100}\\])");
  private static final Pattern TYPE =
      Pattern.compile("Allocation type: ([A-Za-z]{1,30}(?: temp)?)\\b");

  private BufferText() {}

  static String of(String described) {
    List<String> parts = new ArrayList<>();
    Matcher operation = OPERATION.matcher(described);
    Matcher label = LABEL.matcher(described);
    Matcher source = SOURCE.matcher(described);
    Matcher shape = SHAPE.matcher(described);
    Matcher type = TYPE.matcher(described);
    if (operation.find()) {
      parts.add(cut(operation.group(1)));
    } else if (label.find()) {
      parts.add(cut(label.group(1)));
    }
    if (source.find()) {
      String file = source.group(1);
      parts.add(file.substring(file.lastIndexOf('/') + 1) + ":" + source.group(2));
    }
    if (shape.find()) {
      parts.add(shape.group(2));
      if (shape.group(1).equals("Subshape")) {
        parts.add("a parameter");
      }
    }
    if (type.find()) {
      parts.add(type.group(1));
    }
    return String.join(", ", parts);
  }

  private static String cut(String name) {
    return name.length() <= MAX ? name : name.substring(0, MAX) + "…";
  }
}
