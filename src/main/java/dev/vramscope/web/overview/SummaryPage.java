package dev.vramscope.web.overview;

import dev.vramscope.analysis.summary.MemorySummary;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.model.Segment;
import dev.vramscope.web.snapshot.SnapshotFrame;
import dev.vramscope.web.snapshot.Tab;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** The counters and the text of {@code torch.cuda.memory_summary()}. */
@Controller
class SummaryPage {
  private final SnapshotFrame frame;

  SummaryPage(SnapshotFrame frame) {
    this.frame = frame;
  }

  /** A metric of torch's table and the keys of its counters. */
  private enum Metric {
    ALLOCATED("Allocated memory", "allocated_bytes", true),
    ACTIVE("Active memory", "active_bytes", true),
    REQUESTED("Requested memory", "requested_bytes", true),
    RESERVED("GPU reserved memory", "reserved_bytes", true),
    NON_RELEASABLE("Non-releasable memory", "inactive_split_bytes", true),
    ALLOCATIONS("Allocations", "allocation", false),
    ACTIVE_ALLOCATIONS("Active allocs", "active", false),
    SEGMENTS("GPU reserved segments", "segment", false),
    NON_RELEASABLE_ALLOCATIONS("Non-releasable allocs", "inactive_split", false);

    private final String title;
    private final String key;
    private final boolean isBytes;

    Metric(String title, String key, boolean isBytes) {
      this.title = title;
      this.key = key;
      this.isBytes = isBytes;
    }
  }

  /**
   * One line of the table.
   *
   * @param isPool whether it is one pool's share of the metric above it
   * @param cells current, peak, allocated in total, freed in total
   */
  record Line(String title, boolean isPool, boolean isBytes, List<Cell> cells) {}

  /**
   * A counter.
   *
   * @param value null when unknown
   * @param origin where the value is from
   */
  record Cell(@Nullable Long value, Origin origin) {
    public boolean isLowerBound() {
      return origin == Origin.LOWER_BOUND;
    }

    public boolean isReplayed() {
      return origin == Origin.REPLAY;
    }
  }

  /** Where the value of a counter is from. */
  enum Origin {
    /** The file has it, or it follows from the file. */
    FILE,
    /** A replay of the whole recording has it. */
    REPLAY,
    /** The counter is this value or more. */
    LOWER_BOUND
  }

  @GetMapping("/snapshots/{id}/summary")
  String show(@PathVariable String id, @RequestParam @Nullable Integer device, Model model) {
    DeviceInspection inspection = frame.show(id, device, Tab.SUMMARY, model);
    MemorySummary summary = inspection.summary();
    model.addAttribute("summary", summary);
    model.addAttribute(
        "expandableCount",
        inspection.device().segments().stream().filter(Segment::expandable).count());
    model.addAttribute("lines", lines(inspection));
    model.addAttribute("isReplayed", !inspection.counters().replayed().isEmpty());
    model.addAttribute("text", inspection.counters().table().full());
    return "summary";
  }

  private static List<Line> lines(DeviceInspection device) {
    Map<String, Long> counters = device.summary().counters();
    Map<String, Long> replayed = device.counters().replayed();
    Map<String, Long> least = device.counters().lowerBounds();
    Function<String, Cell> cells =
        key ->
            counters.containsKey(key)
                ? new Cell(counters.get(key), Origin.FILE)
                : replayed.containsKey(key)
                    ? new Cell(replayed.get(key), Origin.REPLAY)
                    : new Cell(least.get(key), Origin.LOWER_BOUND);
    List<Line> lines = new ArrayList<>();
    for (Metric metric : Metric.values()) {
      lines.add(line(cells, metric, metric.title, "all"));
      lines.add(line(cells, metric, "from large pool", "large_pool"));
      lines.add(line(cells, metric, "from small pool", "small_pool"));
    }
    return lines;
  }

  private static Line line(Function<String, Cell> cells, Metric metric, String title, String pool) {
    return new Line(
        title,
        !pool.equals("all"),
        metric.isBytes,
        Stream.of("current", "peak", "allocated", "freed")
            .map(counter -> cells.apply(metric.key + "." + pool + "." + counter))
            .toList());
  }
}
