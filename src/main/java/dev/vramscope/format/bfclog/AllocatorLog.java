package dev.vramscope.format.bfclog;

import dev.vramscope.evidence.ChunkLine;
import dev.vramscope.evidence.PoolLimit;
import dev.vramscope.format.UnaddressedBlocks;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Block;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import dev.vramscope.model.pool.ChunkMap;
import dev.vramscope.model.pool.ChunkRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** What a log says about one allocator, until it becomes a trace. */
final class AllocatorLog {
  private final String name;
  private final Rows rows = new Rows();
  private final PoolLimit limit = new PoolLimit();
  private LoggedDump dump = LoggedDump.NONE;
  private boolean hasEnds;
  private long failedBytes = -1;
  private long comparedTotals;
  private long differingTotals;
  private long greatestDifference;
  private long comparedChunks;
  private long differingChunks;

  AllocatorLog(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  Rows rows() {
    return rows;
  }

  PoolLimit limit() {
    return limit;
  }

  LoggedDump dump() {
    return dump;
  }

  /** A dump begins; the chunks of one before it are not needed any more. */
  void beginDump() {
    dump = new LoggedDump(rows.size());
  }

  /** The log has the results of requests. */
  void endsRequests() {
    hasEnds = true;
  }

  boolean hasEnds() {
    return hasEnds;
  }

  /** Whether anything was requested or freed. */
  boolean hasEvents() {
    for (int row = 0; row < rows.size(); row++) {
      byte kind = rows.kind(row);
      if (kind == Rows.ALLOCATE
          || kind == Rows.FREE
          || kind == Rows.FAIL
          || (!hasEnds && (kind == Rows.BEGIN || kind == Rows.RETURNED))) {
        return true;
      }
    }
    return false;
  }

  /**
   * The device with its trace, and with the final state of the pool if the log has its regions.
   *
   * @param findings gets what is missing or contradicts itself
   */
  DeviceSnapshot device(int number, List<Finding> findings) {
    boolean hasAddresses = settleRequests();
    FreeMatching matching = FreeMatching.match(rows, dump);
    ChunkMap pool = new ChunkMap();
    Trace trace = trace(pool);
    boolean hasPool = hasAddresses && pool.outside() == 0 && pool.poolBytes() > 0;
    addFindings(number, matching, hasAddresses, hasPool, pool, findings);
    return new DeviceSnapshot(
        number,
        hasPool ? pool.segments() : List.of(),
        hasPool ? trace : withoutSegments(trace),
        List.of(),
        new AllocatorFacts(
            hasPool ? AllocatorFamily.BFC : AllocatorFamily.UNRECORDED,
            OptionalLong.empty(),
            OptionalLong.empty(),
            limit.bytes(poolAtDump(), failedBytes),
            /* isSimulated= */ false));
  }

  private long poolAtDump() {
    return dump.chunks().values().stream().mapToLong(ChunkLine::bytes).sum();
  }

  /**
   * Decides which rows are requests: their ends, or in logs of before 2022 their beginnings.
   *
   * @return whether they have addresses
   */
  private boolean settleRequests() {
    boolean hasAddresses = false;
    for (int row = 0; row < rows.size(); row++) {
      rows.kind(row, settled(rows.kind(row)));
      hasAddresses |= rows.kind(row) == Rows.ALLOCATE && rows.address(row) != 0;
      failedBytes = rows.kind(row) == Rows.FAIL ? rows.bytes(row) : failedBytes;
    }
    if (!hasAddresses) {
      numberRequests();
    }
    return hasAddresses;
  }

  private byte settled(byte kind) {
    return switch (kind) {
      case Rows.BEGIN, Rows.RETURNED -> hasEnds ? Rows.NOTHING : Rows.ALLOCATE;
      case Rows.FAILED_BEGIN -> hasEnds ? Rows.NOTHING : Rows.FAIL;
      case Rows.TOLERATED_BEGIN -> hasEnds ? Rows.NOTHING : Rows.TOLERATED;
      default -> kind;
    };
  }

  /** A free of which no request is live becomes no row. */
  private void numberRequests() {
    UnaddressedBlocks blocks = new UnaddressedBlocks();
    for (int row = 0; row < rows.size(); row++) {
      if (rows.kind(row) == Rows.ALLOCATE) {
        rows.address(row, blocks.allocate(rows.bytes(row)));
      } else if (rows.kind(row) == Rows.FREE && rows.address(row) == 0) {
        long freed = blocks.free(rows.bytes(row));
        if (freed == UnaddressedBlocks.NONE) {
          rows.kind(row, Rows.NOTHING);
        } else {
          rows.address(row, freed);
        }
      }
    }
  }

  private Trace trace(ChunkMap pool) {
    Trace.Builder trace = new Trace.Builder();
    for (int row = 0; row < rows.size(); row++) {
      if (row == dump.row()) {
        compareChunks(pool);
      }
      long address = rows.address(row);
      long bytes = rows.bytes(row);
      int event =
          switch (rows.kind(row)) {
            case Rows.ALLOCATE -> {
              pool.allocate(address, bytes, rows.stack(row));
              yield trace.add(TraceAction.ALLOC, address, bytes);
            }
            case Rows.FREE -> {
              pool.free(address);
              yield trace.add(TraceAction.FREE_REQUESTED, address, bytes);
            }
            case Rows.FAIL -> {
              int failed = trace.add(TraceAction.OOM, 0, ChunkRules.rounded(bytes));
              trace.oom(failed, ChunkRules.rounded(bytes), OomEvent.UNKNOWN);
              yield failed;
            }
            case Rows.REGION ->
                pool.acquire(address, bytes)
                    ? trace.add(TraceAction.SEGMENT_ALLOC, address, bytes)
                    : -1;
            case Rows.RELEASE -> {
              long released = pool.release(address);
              yield released > 0 ? trace.add(TraceAction.SEGMENT_FREE, address, released) : -1;
            }
            default -> -1;
          };
      if (event >= 0) {
        trace.timeMicros(event, rows.micros(row));
        if (rows.stack(row) != StackTable.NONE) {
          trace.stack(event, rows.stack(row));
        }
        compareTotal(row, pool);
      }
    }
    if (dump.row() == rows.size()) {
      compareChunks(pool);
    }
    return trace.build();
  }

  private void compareTotal(int row, ChunkMap pool) {
    if (rows.total(row) >= 0) {
      long difference = Math.abs(rows.total(row) - pool.inUseBytes());
      comparedTotals++;
      differingTotals += difference == 0 ? 0 : 1;
      greatestDifference = Math.max(greatestDifference, difference);
    }
  }

  private void compareChunks(ChunkMap pool) {
    for (ChunkLine chunk : dump.chunks().values()) {
      comparedChunks++;
      long inUse = pool.bytesInUseAt(chunk.address());
      differingChunks += inUse == (chunk.isFree() ? Block.UNKNOWN : chunk.bytes()) ? 0 : 1;
    }
  }

  /** Requests and frees alone: regions of which some are missing say nothing about the pool. */
  private static Trace withoutSegments(Trace whole) {
    Trace.Builder trace = new Trace.Builder();
    for (int event = 0; event < whole.size(); event++) {
      if (whole.action(event).isOfSegment()) {
        continue;
      }
      int row = trace.add(whole.action(event), whole.address(event), whole.bytes(event));
      trace.timeMicros(row, whole.timeMicros(event));
      trace.stack(row, whole.stack(event));
      if (whole.action(event) == TraceAction.OOM) {
        trace.oom(row, whole.bytes(event), OomEvent.UNKNOWN);
      }
    }
    return trace.build();
  }

  private void addFindings(
      int number,
      FreeMatching matching,
      boolean hasAddresses,
      boolean hasPool,
      ChunkMap pool,
      List<Finding> findings) {
    List<String> texts = new ArrayList<>();
    if (!hasAddresses) {
      texts.add(
          "the log has no addresses; a free is taken for that of the oldest request of its size, so"
              + " lifetimes may be wrong; sums are right");
    } else if (matching.ambiguous() > 0) {
      texts.add(
          String.format(
              Locale.ROOT,
              "%,d of %,d frees do not say which block they free (level 3), and several had their"
                  + " size; the one whose memory was used again first is taken. Sums are right",
              matching.ambiguous(),
              matching.found()));
    }
    if (matching.unknown() > 0) {
      texts.add(
          String.format(
              Locale.ROOT,
              "%,d frees are of blocks that were allocated before the log begins, and are left out",
              matching.unknown()));
    }
    if (hasAddresses && !hasPool) {
      texts.add(
          String.format(
              Locale.ROOT,
              "the log does not have all regions of the pool (“Extending allocation”): %,d requests"
                  + " lie outside",
              pool.outside()));
    }
    if (hasPool && pool.overlapping() > 0) {
      texts.add(
          String.format(
              Locale.ROOT,
              "%,d requests lie on memory that is in use according to the log, so lines of frees"
                  + " are missing",
              pool.overlapping()));
    }
    if (hasPool && differingTotals > 0) {
      texts.add(
          String.format(
              Locale.ROOT,
              "at %,d of %,d new peaks, the allocator’s own total differs from the sum of the"
                  + " chunks, by up to %,d bytes",
              differingTotals,
              comparedTotals,
              greatestDifference));
    }
    if (hasPool && differingChunks > 0) {
      texts.add(
          String.format(
              Locale.ROOT,
              "%,d of %,d chunks of the dump differ from what the lines before it lead to",
              differingChunks,
              comparedChunks));
    }
    for (String text : texts) {
      findings.add(FindingKind.BFC_EVENTS_DIFFER.finding(1, number, text));
    }
  }
}
