package dev.vramscope.evidence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The CSV output of {@code nvidia-smi}: tables with a header line that names their columns. */
final class SmiCsv {
  private static final Pattern MEMORY = Pattern.compile(Quantity.PATTERN);
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  /** The unit in a header, such as " [MiB]". */
  private static final Pattern UNIT = Pattern.compile("\\s*\\[([^\\]]*)\\]?.*");

  private SmiCsv() {}

  /** The GPUs; empty if there is no table of GPUs with their memory. */
  static List<SmiText.Gpu> gpus(List<String> lines) {
    List<Map<String, String>> gpus = new ArrayList<>();
    List<Map<String, String>> processes = new ArrayList<>();
    boolean hasProcesses = false;
    List<String> header = List.of();
    List<String> units = List.of();
    for (String line : lines) {
      List<String> cells = Arrays.stream(line.split(",", -1)).map(String::strip).toList();
      if (line.contains("memory.total") || isProcessHeader(line)) {
        header = cells.stream().map(SmiCsv::column).toList();
        units = cells.stream().map(SmiCsv::unit).toList();
        hasProcesses |= isProcessHeader(line);
      } else if (cells.size() == header.size()) {
        (header.contains("memory.total") ? gpus : processes).add(row(header, units, cells));
      } else {
        header = List.of();
      }
    }
    List<SmiText.Gpu> parsedGpus = new ArrayList<>();
    for (Map<String, String> gpu : gpus) {
      add(parsedGpus, gpu, gpus.size() == 1, processes, hasProcesses);
    }
    return parsedGpus;
  }

  private static boolean isProcessHeader(String line) {
    return line.contains("pid")
        && (line.contains("used_gpu_memory") || line.contains("used_memory"));
  }

  private static String column(String header) {
    String name = UNIT.matcher(header).replaceAll("").toLowerCase(Locale.ROOT);
    return name.equals("used_memory") ? "used_gpu_memory" : name;
  }

  /** The unit of a column, or nothing: with "nounits", its cells are numbers. */
  private static String unit(String header) {
    Matcher unit = UNIT.matcher(header);
    return unit.find() ? " " + unit.group(1) : "";
  }

  private static Map<String, String> row(
      List<String> header, List<String> units, List<String> cells) {
    Map<String, String> row = new HashMap<>();
    for (int i = 0; i < cells.size(); i++) {
      boolean isNumber = NUMBER.matcher(cells.get(i)).matches();
      row.put(header.get(i), cells.get(i) + (isNumber ? units.get(i) : ""));
    }
    return row;
  }

  private static void add(
      List<SmiText.Gpu> parsedGpus,
      Map<String, String> gpu,
      boolean isOnly,
      List<Map<String, String>> processes,
      boolean hasProcesses) {
    Optional<Quantity> total = memory(gpu.get("memory.total"));
    if (total.isEmpty()) {
      return;
    }
    List<ProcessUse> listed = new ArrayList<>();
    boolean isComplete = hasProcesses;
    for (Map<String, String> process : processes) {
      String uuid = process.getOrDefault("gpu_uuid", "");
      if (!isOnly && uuid.isEmpty()) {
        isComplete = false; // It is not known which GPU the process uses.
      } else if (isOnly || uuid.equals(gpu.getOrDefault("uuid", gpu.get("gpu_uuid")))) {
        Optional<Quantity> memory = memory(process.get("used_gpu_memory"));
        memory.ifPresent(used -> listed.add(process(process, used)));
        isComplete &= memory.isPresent();
      }
    }
    parsedGpus.add(
        new SmiText.Gpu(
            number(gpu.get("index"), parsedGpus.size()),
            gpu.getOrDefault("name", gpu.getOrDefault("gpu_name", "")),
            memory(gpu.get("memory.used")),
            total.get(),
            listed,
            isComplete));
  }

  private static ProcessUse process(Map<String, String> row, Quantity used) {
    return new ProcessUse(
        number(row.get("pid"), 0),
        row.getOrDefault("process_name", row.getOrDefault("name", "")),
        used);
  }

  private static int number(@Nullable String text, int otherwise) {
    return text != null && text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : otherwise;
  }

  private static Optional<Quantity> memory(@Nullable String text) {
    if (text == null) {
      return Optional.empty();
    }
    // The driver rounds in either direction, by up to a whole unit.
    Matcher matcher = MEMORY.matcher(text);
    return matcher.matches()
        ? Quantity.of(matcher.group(1), matcher.group(2)).map(Quantity::roundedDown)
        : Optional.empty();
  }
}
