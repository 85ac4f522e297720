package dev.vramscope.explain.library;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Field;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Logs of {@code nvidia-smi} that repeats itself: its table ({@code -l}), the CSV of {@code
 * --query-gpu} with a header, {@code dmon} and {@code pmon} with their memory columns. Each GPU,
 * and each process of {@code pmon}, is a series of samples.
 */
final class SmiLog {
  static final FieldName FIRST = new FieldName("used-first", "In use, first");
  static final FieldName PEAK = new FieldName("used-peak", "In use, peak");
  static final FieldName FIRST_TIME = new FieldName("first-time", "Time of the first sample");
  static final FieldName PEAK_TIME = new FieldName("peak-time", "Time of the peak");
  static final FieldName LAST_TIME = new FieldName("last-time", "Time of the last sample");
  static final FieldName FALLS = new FieldName("falls", "Samples below the one before");

  /** A series is at least two samples; a machine has at most so many GPUs and processes. */
  private static final int LEAST = 2;

  private static final int MOST_SERIES = 200;
  private static final int MAX_LINE = 1000;

  private static final Pattern TABLE_TIME =
      Pattern.compile(
          "\\s*([A-Z][a-z]{2} [A-Z][a-z]{2} {1,2}[0-9]{1,2} [0-9:]{8} [0-9]{4})\\s*(?:[+|].*)?");
  private static final Pattern TABLE_GPU =
      Pattern.compile(
          "\\|\\s+([0-9]{1,3})\\s+(\\S.*?)\\s+(?:On|Off|WDDM|TCC|MCDM|N/A)\\s*\\|"
              + "\\s*[0-9A-Fa-f]{4,8}:.*");
  private static final Pattern TABLE_MEMORY =
      Pattern.compile(".*?\\b([0-9]{1,9})MiB\\s*/\\s*([0-9]{1,9})MiB\\b.*");
  private static final Pattern MEBIBYTES = Pattern.compile("([0-9]{1,9})(?: ?MiB)?");

  /** The samples of a GPU or of a process. */
  private static final class Series {
    private final String gpu;
    private final String process;
    private final int line;
    private String name = "";
    private long first = -1;
    private long peak = -1;
    private long last = -1;
    private long total = -1;
    private String firstTime = "";
    private String peakTime = "";
    private String lastTime = "";
    private int samples;
    private int falls;

    Series(String gpu, String process, int line) {
      this.gpu = gpu;
      this.process = process;
      this.line = line;
    }

    void add(long used, String time) {
      if (samples++ == 0) {
        first = used;
        firstTime = time;
      }
      falls += used < last ? 1 : 0;
      if (used > peak) {
        peak = used;
        peakTime = time;
      }
      last = used;
      lastTime = time;
    }

    LogMessage message() {
      List<Field> fields = new ArrayList<>();
      addWords(fields, FieldName.DEVICE, gpu);
      addWords(fields, FieldName.MODEL, name);
      addWords(fields, FieldName.RECORDS, Integer.toString(samples));
      addBytes(fields, FIRST, first);
      addWords(fields, FIRST_TIME, firstTime);
      addBytes(fields, PEAK, peak);
      addWords(fields, PEAK_TIME, peakTime);
      addBytes(fields, FieldName.USED, last);
      addWords(fields, LAST_TIME, lastTime);
      addWords(fields, FALLS, Integer.toString(falls));
      if (total >= 0) {
        addBytes(fields, FieldName.TOTAL, total);
      }
      addWords(fields, NvidiaSmiLog.PID, process);
      return new LogMessage(NvidiaSmiLog.SMI_LOG, line, 1, fields);
    }

    private static void addWords(List<Field> fields, FieldName name, String written) {
      if (!written.isEmpty()) {
        fields.add(new Field(name, "", written, Optional.empty()));
      }
    }

    /** Megabytes of the driver: 2^20, rounded in either direction. */
    private static void addBytes(List<Field> fields, FieldName name, long mebibytes) {
      fields.add(
          new Field(
              name, "", mebibytes + " MiB", Optional.of(new Quantity(mebibytes << 20, 1 << 20))));
    }
  }

  private final Map<String, Series> all = new LinkedHashMap<>();
  private List<String> header = List.of();
  private boolean isCsv;
  private String tableTime = "";
  private String tableGpu = "";
  private String tableName = "";
  private int line;

  private SmiLog() {}

  /** The series of a text; empty if no GPU has two samples. */
  static List<LogMessage> read(String text) {
    boolean mayBe = text.contains("MiB /") || text.contains("memory.used") || text.contains(" fb ");
    if (!mayBe) {
      return List.of();
    }
    SmiLog log = new SmiLog();
    text.lines().forEach(log::add);
    return log.all.values().stream()
        .filter(series -> series.samples >= LEAST)
        .map(Series::message)
        .toList();
  }

  private void add(String text) {
    line++;
    if (text.length() > MAX_LINE) {
      return;
    }
    if (text.contains("|") || TABLE_TIME.matcher(text).matches()) {
      addTable(text);
    } else if (text.contains("memory.used") && text.contains(",")) {
      isCsv = true;
      header = cells(text, ",").stream().map(SmiLog::column).toList();
    } else if (text.startsWith("#")) {
      List<String> names = cells(text.substring(1).strip(), "\\s+");
      if (names.contains("gpu") && names.contains("fb")) {
        isCsv = false;
        header = names;
      }
    } else if (!header.isEmpty()) {
      addRow(text);
    }
  }

  private static List<String> cells(String text, String separator) {
    return Arrays.stream(text.strip().split(separator, -1)).map(String::strip).toList();
  }

  private static String column(String name) {
    return name.replaceFirst("\\s*\\[.*", "").toLowerCase(Locale.ROOT);
  }

  private void addTable(String text) {
    Matcher time = TABLE_TIME.matcher(text);
    Matcher gpu = TABLE_GPU.matcher(text);
    Matcher memory = TABLE_MEMORY.matcher(text);
    if (time.matches()) {
      tableTime = time.group(1);
    } else if (gpu.matches()) {
      tableGpu = gpu.group(1);
      tableName = gpu.group(2);
    } else if (memory.matches() && !tableGpu.isEmpty()) {
      Series series = series(tableGpu, "");
      if (series != null) {
        series.name = tableName;
        series.total = Long.parseLong(memory.group(2));
        series.add(Long.parseLong(memory.group(1)), tableTime);
      }
      tableGpu = ""; // Further lines with memory are those of MIG devices.
    }
  }

  private void addRow(String text) {
    List<String> cells = cells(text, isCsv ? "," : "\\s+");
    if (cells.size() < header.size()) {
      return;
    }
    Map<String, String> row = new LinkedHashMap<>();
    for (int i = 0; i < header.size(); i++) {
      row.put(header.get(i), cells.get(i));
    }
    Optional<Long> used = mebibytes(row.getOrDefault(isCsv ? "memory.used" : "fb", ""));
    if (used.isEmpty()) {
      return;
    }
    String gpu =
        isCsv
            ? row.getOrDefault(
                "index",
                row.getOrDefault(
                    "uuid", row.getOrDefault("pci.bus_id", row.getOrDefault("gpu_bus_id", ""))))
            : row.getOrDefault("gpu", "");
    String process = row.getOrDefault("pid", "");
    if (!isCsv && header.contains("pid") && !process.matches("[0-9]{1,10}")) {
      return; // A GPU without a process.
    }
    Series series = series(gpu, process);
    if (series == null) {
      return;
    }
    series.name = row.getOrDefault("name", row.getOrDefault("command", series.name));
    mebibytes(row.getOrDefault("memory.total", "")).ifPresent(total -> series.total = total);
    series.add(
        used.get(),
        isCsv
            ? row.getOrDefault("timestamp", "")
            : (row.getOrDefault("Date", "") + " " + row.getOrDefault("Time", "")).strip());
  }

  private @Nullable Series series(String gpu, String process) {
    String key = gpu + " " + process;
    if (!all.containsKey(key) && all.size() >= MOST_SERIES) {
      return null;
    }
    return all.computeIfAbsent(key, _ -> new Series(gpu, process, line));
  }

  private static Optional<Long> mebibytes(String cell) {
    Matcher matcher = MEBIBYTES.matcher(cell);
    return matcher.matches() ? Optional.of(Long.parseLong(matcher.group(1))) : Optional.empty();
  }
}
