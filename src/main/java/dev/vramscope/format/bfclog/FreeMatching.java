package dev.vramscope.format.bfclog;

import dev.vramscope.model.pool.ChunkRules;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Finds the block of each free that has a size only. Memory that is allocated again was free
 * before, and what a dump shows in use was not: each block has a row before which it must be free,
 * and one after which it can be. A free takes, of the live blocks of its size, the one that must be
 * free first; if any choice agrees with the log, this one does.
 */
final class FreeMatching {
  private final Rows rows;
  private final LoggedDump dump;
  private long unknown;
  private long ambiguous;
  private long found;

  private record Live(int row, int deadline, int pinnedUntil) {}

  private FreeMatching(Rows rows, LoggedDump dump) {
    this.rows = rows;
    this.dump = dump;
  }

  /** Sets the address of each free; one whose block is not in the log becomes no row. */
  static FreeMatching match(Rows rows, LoggedDump dump) {
    FreeMatching matching = new FreeMatching(rows, dump);
    if (matching.hasUnaddressed()) {
      matching.run(matching.deadlines());
    }
    return matching;
  }

  private boolean hasUnaddressed() {
    for (int row = 0; row < rows.size(); row++) {
      if (rows.kind(row) == Rows.FREE && rows.address(row) == 0) {
        return true;
      }
    }
    return false;
  }

  /** By the row of an allocation: the row before which its memory is free again. */
  private int[] deadlines() {
    int[] deadlines = new int[rows.size()];
    LaterUse later = new LaterUse();
    for (int row = rows.size() - 1; row >= 0; row--) {
      if (rows.kind(row) == Rows.ALLOCATE) {
        long end = rows.address(row) + ChunkRules.rounded(rows.bytes(row));
        deadlines[row] = later.first(rows.address(row), end);
        later.use(rows.address(row), end, row);
      }
    }
    return deadlines;
  }

  private void run(int[] deadlines) {
    Map<Long, PriorityQueue<Live>> bySize = new HashMap<>();
    Map<Long, Integer> liveAt = new HashMap<>();
    Map<Long, Integer> liveOfSize = new HashMap<>();
    BitSet freed = new BitSet();
    for (int row = 0; row < rows.size(); row++) {
      long bytes = rows.bytes(row);
      if (rows.kind(row) == Rows.ALLOCATE) {
        Integer replaced = liveAt.put(rows.address(row), row);
        if (replaced != null) {
          freed.set(replaced);
          liveOfSize.merge(rows.bytes(replaced), -1, Integer::sum);
        }
        bySize
            .computeIfAbsent(
                bytes,
                _ ->
                    new PriorityQueue<>(
                        Comparator.comparingInt(Live::deadline).thenComparingInt(Live::row)))
            .add(live(row, deadlines[row]));
        liveOfSize.merge(bytes, 1, Integer::sum);
      } else if (rows.kind(row) == Rows.FREE && rows.address(row) != 0) {
        Integer known = liveAt.remove(rows.address(row));
        if (known != null) {
          freed.set(known);
          liveOfSize.merge(rows.bytes(known), -1, Integer::sum);
        }
      } else if (rows.kind(row) == Rows.FREE) {
        int block = take(bySize.get(bytes), row, freed);
        if (block < 0) {
          unknown++;
          rows.kind(row, Rows.NOTHING);
          continue;
        }
        found++;
        ambiguous += liveOfSize.getOrDefault(bytes, 0) > 1 ? 1 : 0;
        freed.set(block);
        liveAt.remove(rows.address(block), block);
        liveOfSize.merge(bytes, -1, Integer::sum);
        rows.address(row, rows.address(block));
      }
    }
  }

  private Live live(int row, int deadline) {
    if (row >= dump.row()) {
      return new Live(row, deadline, row);
    }
    boolean isInUse = dump.isInUse(rows.address(row)) && deadline > dump.row();
    return isInUse
        ? new Live(row, deadline, dump.row())
        : new Live(row, Math.min(deadline, dump.row()), row);
  }

  /** The block that must be free first, of those that are not in use later; -1 if there is none. */
  private static int take(@Nullable PriorityQueue<Live> blocks, int row, BitSet freed) {
    if (blocks == null) {
      return -1;
    }
    List<Live> pinned = new ArrayList<>();
    int taken = -1;
    while (taken < 0 && !blocks.isEmpty()) {
      Live next = blocks.poll();
      if (freed.get(next.row())) {
        continue;
      }
      if (next.pinnedUntil() > row) {
        pinned.add(next);
      } else {
        taken = next.row();
      }
    }
    blocks.addAll(pinned);
    return taken;
  }

  /** Frees of blocks that were allocated before the log begins. */
  long unknown() {
    return unknown;
  }

  /** Frees without an address whose block was found. */
  long found() {
    return found;
  }

  /** Of these, the ones for which several live blocks had the size. */
  long ambiguous() {
    return ambiguous;
  }
}
