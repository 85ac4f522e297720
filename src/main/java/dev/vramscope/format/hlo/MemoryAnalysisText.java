package dev.vramscope.format.hlo;

import dev.vramscope.compiled.MemoryStatistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads printed results of {@code memory_analysis()} and {@code cost_analysis()}: one block for
 * each program, named by what stands before it. Other lines are names or are skipped.
 */
final class MemoryAnalysisText {
  static final Pattern BYTES =
      Pattern.compile("['\"]?\\b([a-z_]+?)(?:_size)?_in_bytes['\"]?\\s*[=:]\\s*(-?\\d{1,18})\\b");
  private static final Pattern COST =
      Pattern.compile(
          "['\"]((?:flops|transcendentals|bytes accessed|optimal_seconds|utilization)[^'\"]*)['\"]"
              + "\\s*:\\s*(-?[\\d.]+(?:[eE][-+]?\\d+)?)");
  private static final Pattern UNUSABLE =
      Pattern.compile("[Ss]ome donated buffers were not usable: (.*?)\\.?\\s*$");
  private static final Pattern SHAPE = Pattern.compile("[A-Za-z][A-Za-z0-9_]*\\[[\\d,]*\\]");

  private static final int MAX_NAME = 80;

  /** Blocks of one text; more are not variants of a program. */
  private static final int MAX_BLOCKS = 1000;

  /** One printed result. */
  static final class Block {
    private final String name;
    private final Map<String, Long> bytes = new TreeMap<>();
    private final Map<String, Double> costs = new HashMap<>();

    Block(String name) {
      this.name = name;
    }

    String name() {
      return name;
    }

    MemoryStatistics statistics() {
      return new MemoryStatistics(bytes);
    }

    boolean hasStatistics() {
      return !bytes.isEmpty();
    }

    Map<String, Double> costs() {
      return costs;
    }

    private boolean agrees(Map<String, Long> others) {
      return others.entrySet().stream()
          .allMatch(
              each -> each.getValue().equals(bytes.getOrDefault(each.getKey(), each.getValue())));
    }
  }

  private final HloLines lines;
  private final List<Block> blocks = new ArrayList<>();
  private final List<String> unusable = new ArrayList<>();
  private String heading = "";
  private @Nullable Block current;

  MemoryAnalysisText(HloLines lines) {
    this.lines = lines;
  }

  /** Reads to the end of the file. */
  void read(String first) throws IOException {
    for (String line = first; line != null; line = lines.next()) {
      add(line);
    }
  }

  List<Block> blocks() {
    return blocks;
  }

  /** Shapes of donated arguments that could not be reused, as JAX warns. */
  List<String> unusableDonations() {
    return unusable;
  }

  private void add(String line) {
    Matcher warning = UNUSABLE.matcher(line);
    if (warning.find()) {
      Matcher shape = SHAPE.matcher(warning.group(1));
      while (shape.find() && unusable.size() < MAX_BLOCKS) {
        unusable.add(shape.group());
      }
      return;
    }
    Map<String, Long> bytes = new TreeMap<>();
    Map<String, Double> costs = new HashMap<>();
    int start = line.length();
    Matcher each = BYTES.matcher(line);
    while (each.find()) {
      bytes.putIfAbsent(each.group(1), Long.parseLong(each.group(2)));
      start = Math.min(start, each.start());
    }
    Matcher cost = COST.matcher(line);
    while (cost.find()) {
      costs.put(cost.group(1), Double.parseDouble(cost.group(2)));
      start = Math.min(start, cost.start());
    }
    if (bytes.isEmpty() && costs.isEmpty()) {
      addHeading(line);
      return;
    }
    String own =
        label(line.substring(0, start).replaceAll("CompiledMemoryStats\\(?|[\\[{(]+\\s*$", ""));
    Block block = blockFor(own, bytes, costs);
    bytes.forEach(block.bytes::putIfAbsent);
    block.costs.putAll(costs);
  }

  private void addHeading(String line) {
    String text = label(line.replaceAll("CompiledMemoryStats\\(?|[\\[{(]+\\s*$", ""));
    if (text.chars().anyMatch(Character::isLetter) && !line.startsWith("  ")) {
      heading = text;
      current = null;
    }
  }

  private Block blockFor(String own, Map<String, Long> bytes, Map<String, Double> costs) {
    Block block = current;
    boolean continues =
        block != null
            && (own.isEmpty() || own.equals(block.name))
            && block.agrees(bytes)
            && costs.keySet().stream().noneMatch(block.costs::containsKey);
    if (block != null && (continues || blocks.size() >= MAX_BLOCKS)) {
      return block;
    }
    String name =
        !own.isEmpty() ? own : !heading.isEmpty() ? heading : "program " + (blocks.size() + 1);
    heading = "";
    Block added = new Block(name);
    blocks.add(added);
    current = added;
    return added;
  }

  /** Without the decoration of a heading. */
  private static String label(String text) {
    String label = text.replaceAll("^[\\s=#*>\\-\"']+|[\\s=#*:<\\-\"',]+$", "");
    return label.length() > MAX_NAME ? label.substring(0, MAX_NAME) : label;
  }
}
