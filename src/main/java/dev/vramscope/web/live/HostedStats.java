package dev.vramscope.web.live;

import dev.vramscope.allocator.AllocatorTotals;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.allocator.bfc.BfcStatistics;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.allocator.caching.statistics.MemoryStats;
import dev.vramscope.analysis.summary.SummaryTable;
import dev.vramscope.live.HostedAllocator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;

/** Counters of hosted allocators under the names that PyTorch and JAX use. */
final class HostedStats {
  private HostedStats() {}

  /** All counters by name. */
  static Map<String, Long> counters(HostedAllocator hosted) {
    return switch (hosted.underlying()) {
      case CachingAllocator caching -> MemoryStats.of(caching.statistics());
      case BfcAllocator bfc -> counters(bfc.statistics());
      default -> counters(hosted.underlying().inspect().totals());
    };
  }

  /** As JAX's {@code Device.memory_stats()}, with the number of regions added. */
  private static Map<String, Long> counters(BfcStatistics bfc) {
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("num_allocs", bfc.allocationCount());
    counters.put("bytes_in_use", bfc.bytesInUse());
    counters.put("peak_bytes_in_use", bfc.peakBytesInUse());
    counters.put("largest_alloc_size", bfc.largestAllocationBytes());
    counters.put("bytes_limit", bfc.limitBytes());
    counters.put("largest_free_block_bytes", bfc.largestFreeBytes());
    counters.put("pool_bytes", bfc.poolBytes());
    counters.put("peak_pool_bytes", bfc.peakPoolBytes());
    counters.put("num_regions", (long) bfc.regionCount());
    return counters;
  }

  private static Map<String, Long> counters(AllocatorTotals totals) {
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("allocated_bytes", totals.allocatedBytes());
    counters.put("peak_allocated_bytes", totals.peakAllocatedBytes());
    counters.put("allocated_blocks", totals.allocatedCount());
    counters.put("num_allocs", totals.allocationCount());
    counters.put("num_ooms", totals.outOfMemoryCount());
    return counters;
  }

  /** In PyTorch's or XLA's format; for a direct allocator one counter per line. */
  static String text(HostedAllocator hosted) {
    return switch (hosted.underlying()) {
      case CachingAllocator caching -> {
        SortedMap<String, Long> stats = MemoryStats.of(caching.statistics());
        yield new SummaryTable(hosted.device().ordinal(), stats).full();
      }
      case BfcAllocator bfc -> bfc.statistics().text();
      default -> {
        StringBuilder text = new StringBuilder();
        counters(hosted)
            .forEach((name, value) -> text.append("%-22s%20d\n".formatted(name, value)));
        yield text.toString();
      }
    };
  }
}
