package dev.vramscope.format.xla;

import dev.vramscope.evidence.BinLine;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.util.Locale;
import java.util.Optional;

/**
 * The numbers of chunks in the size classes of a dump, beside the chunks themselves: they show
 * whether some are missing. The free middle of a pool that is used from both ends is in no class.
 */
final class BinCounts {
  private int bins;
  private long inUse;
  private long all;

  /** Adds a size class. */
  void add(long chunksInUse, long chunks) {
    bins++;
    inUse += chunksInUse;
    all += chunks;
  }

  /**
   * How the totals contradict the chunks; empty if they do not, or if the file does not have them.
   *
   * @param inUseBytes of all chunks, as the file has it; negative if it does not
   */
  Optional<Finding> contradiction(Chunks chunks, long inUseBytes) {
    if (bins == BinLine.COUNT
        && (inUse != chunks.inUseCount() || all > chunks.count() || all < chunks.count() - 1)) {
      return of(
          String.format(
              Locale.ROOT,
              "%,d chunks, %,d of them in use, are in its size classes, and %,d, %,d in use, in the"
                  + " file",
              all,
              inUse,
              chunks.count(),
              chunks.inUseCount()));
    }
    return inUseBytes >= 0 && inUseBytes != chunks.inUseBytes()
        ? of(
            String.format(
                Locale.ROOT,
                "%,d bytes in use by its statistics, %,d by its chunks",
                inUseBytes,
                chunks.inUseBytes()))
        : Optional.empty();
  }

  private static Optional<Finding> of(String difference) {
    return Optional.of(FindingKind.DUMP_CONTRADICTS.finding(1, difference));
  }
}
