package dev.vramscope.analysis;

import java.util.Map;

/**
 * The table that {@code torch.cuda.memory_summary()} prints, 75 characters between bars. A counter
 * that is not there is shown as {@code unknown}.
 *
 * @param device the device number
 * @param counters by torch's flat key, such as {@code allocated_bytes.all.current}
 */
public record SummaryTable(int device, Map<String, Long> counters) {
  public SummaryTable {
    counters = Map.copyOf(counters);
  }

  /** With the rows of the large and the small pool. */
  public String full() {
    return Unbuilt.value();
  }

  /** Without them. */
  public String abbreviated() {
    return Unbuilt.value();
  }
}
