package dev.vramscope.analysis.summary;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table that {@code torch.cuda.memory_summary()} prints, 75 characters between bars.
 *
 * <p>The unit of a column is chosen once per metric, from the value for all pools: values of at
 * least 768 &times; 1024 (bytes) or 750 &times; 1000 (counts) use the next larger unit. Values are
 * truncated, not rounded. A missing counter is shown as {@code unknown}, or as {@code ≥} and its
 * lower bound.
 *
 * @param device the device number
 * @param counters by PyTorch's flat key, such as {@code allocated_bytes.all.current}
 * @param lowerBounds of missing counters, by the same keys
 */
public record SummaryTable(int device, Map<String, Long> counters, Map<String, Long> lowerBounds) {
  private static final int WIDTH = 75;
  private static final String BOLD_RULE = "=".repeat(WIDTH);
  private static final String RULE = "-".repeat(WIDTH);
  private static final String[] COLUMNS = {"current", "peak", "allocated", "freed"};
  private static final String LARGE = ".large_pool";
  private static final String SMALL = ".small_pool";

  public SummaryTable {
    counters = Map.copyOf(counters);
    lowerBounds = Map.copyOf(lowerBounds);
  }

  /** A table without lower bounds. */
  public SummaryTable(int device, Map<String, Long> counters) {
    this(device, counters, Map.of());
  }

  /** The table with the rows of the large and the small pool. */
  public String full() {
    return text(LARGE, SMALL);
  }

  /** The table without the rows of the large and the small pool. */
  public String abbreviated() {
    return text();
  }

  /** The counters that {@link #full} shows as unknown, in the order of its rows. */
  public List<String> missingCounters() {
    return missingOf(LARGE, SMALL);
  }

  /** The counters that {@link #abbreviated} shows as unknown, in the order of its rows. */
  public List<String> missingAbbreviated() {
    return missingOf();
  }

  private List<String> missingOf(String... pools) {
    List<String> missingCounters = new ArrayList<>(List.of("num_ooms", "num_alloc_retries"));
    for (Metric metric : Metric.values()) {
      addColumns(missingCounters, metric.key + metric.allPools);
      if (!metric.allPools.isEmpty()) {
        for (String pool : pools) {
          addColumns(missingCounters, metric.key + pool);
        }
      }
    }
    missingCounters.removeAll(counters.keySet());
    return missingCounters;
  }

  private static void addColumns(List<String> keys, String row) {
    for (String column : COLUMNS) {
      keys.add(row + "." + column);
    }
  }

  private String text(String... pools) {
    Page page = new Page();
    page.line(BOLD_RULE);
    page.line("%s PyTorch CUDA memory summary, device ID %-17d ".formatted(" ".repeat(17), device));
    page.line(RULE);
    page.line(
        "%s CUDA OOMs: %-12s | %s cudaMalloc retries: %-8s  "
            .formatted(
                " ".repeat(11), plain("num_ooms"), " ".repeat(6), plain("num_alloc_retries")));
    page.line(BOLD_RULE);
    page.line("        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  ");
    for (Metric metric : Metric.values()) {
      page.line(RULE);
      String all = metric.key + metric.allPools;
      page.line(row(metric.title, metric.unit, all, all));
      if (!metric.allPools.isEmpty()) {
        for (String pool : pools) {
          String title = pool.equals(LARGE) ? "      from large pool" : "      from small pool";
          page.line(row(title, metric.unit, metric.key + pool, all));
        }
      }
    }
    page.line(BOLD_RULE);
    return page.text.toString();
  }

  private String row(String title, Unit unit, String key, String scaleKey) {
    StringBuilder line = new StringBuilder(" %-21s |".formatted(title));
    for (int i = 0; i < COLUMNS.length; i++) {
      Long value = counters.get(key + "." + COLUMNS[i]);
      Long scale = counters.get(scaleKey + "." + COLUMNS[i]);
      Long bound = value == null ? lowerBounds.get(key + "." + COLUMNS[i]) : null;
      line.append(' ')
          .append(
              bound != null ? unit.bound(bound) : unit.cell(value, scale == null ? value : scale));
      line.append(i < COLUMNS.length - 1 ? " |" : " ");
    }
    return line.toString();
  }

  private String plain(String key) {
    Long value = counters.get(key);
    return value == null ? "unknown" : value.toString();
  }

  private enum Metric {
    ALLOCATED("allocated_bytes", "Allocated memory", ".all", Unit.BYTES),
    ACTIVE("active_bytes", "Active memory", ".all", Unit.BYTES),
    REQUESTED("requested_bytes", "Requested memory", ".all", Unit.BYTES),
    RESERVED("reserved_bytes", "GPU reserved memory", ".all", Unit.BYTES),
    INACTIVE_SPLIT("inactive_split_bytes", "Non-releasable memory", ".all", Unit.BYTES),
    ALLOCATIONS("allocation", "Allocations", ".all", Unit.COUNT),
    ACTIVE_COUNT("active", "Active allocs", ".all", Unit.COUNT),
    SEGMENTS("segment", "GPU reserved segments", ".all", Unit.COUNT),
    INACTIVE_SPLIT_COUNT("inactive_split", "Non-releasable allocs", ".all", Unit.COUNT),
    OVERSIZE_ALLOCATIONS("oversize_allocations", "Oversize allocations", "", Unit.COUNT),
    OVERSIZE_SEGMENTS("oversize_segments", "Oversize GPU segments", "", Unit.COUNT);

    private final String key;
    private final String title;
    private final String allPools;
    private final Unit unit;

    Metric(String key, String title, String allPools, Unit unit) {
      this.key = key;
      this.title = title;
      this.allPools = allPools;
      this.unit = unit;
    }
  }

  /**
   * Formats a value in ten characters. {@code names} contains the names of all units, each padded
   * to {@code nameLength}.
   */
  private enum Unit {
    BYTES(768 * 1024, 1024, "%6d %s", "B  KiBMiBGiBTiBPiB", 3),
    COUNT(750 * 1000, 1000, "%7d %s ", " KM", 1);

    private static final long MAX_BOUND = 100_000;

    private final double threshold;
    private final long base;
    private final String format;
    private final String names;
    private final int nameLength;

    Unit(double threshold, long base, String format, String names, int nameLength) {
      this.threshold = threshold;
      this.base = base;
      this.format = format;
      this.names = names;
      this.nameLength = nameLength;
    }

    /** Formats a value in the unit that is suitable for {@code scale}. */
    String cell(@Nullable Long value, @Nullable Long scale) {
      if (value == null || scale == null) {
        return "   unknown";
      }
      long amount = value;
      double size = scale;
      int name = 0;
      while (size >= threshold && name + nameLength < names.length()) {
        name += nameLength;
        amount = Math.floorDiv(amount, base);
        size /= base;
      }
      return format(amount, name);
    }

    /** Formats a lower bound: a sign and at most five digits. */
    String bound(long bytes) {
      long amount = bytes;
      int name = 0;
      while (amount >= MAX_BOUND && name + nameLength < names.length()) {
        name += nameLength;
        amount = Math.floorDiv(amount, base);
      }
      return format(amount, name).replaceFirst(" ", "≥");
    }

    private String format(long amount, int name) {
      return String.format(Locale.ROOT, format, amount, names.substring(name, name + nameLength));
    }
  }

  private static final class Page {
    private final StringBuilder text = new StringBuilder();

    void line(String content) {
      text.append('|').append(content).append("|\n");
    }
  }
}
