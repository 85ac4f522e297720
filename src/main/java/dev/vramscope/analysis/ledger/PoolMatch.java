package dev.vramscope.analysis.ledger;

import dev.vramscope.analysis.ledger.EvidenceMatch.Result;
import dev.vramscope.evidence.ChunkLine;
import dev.vramscope.evidence.PoolText;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.Certainty;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.model.pool.ChunkRules;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Compares the lines of a BFC allocator's failure in a log with a dump of its pool. Addresses
 * differ from process to process, so equal chunks are those of one process at one moment.
 */
public final class PoolMatch {
  /** As many equal addresses are no chance, even if the text does not have all chunks. */
  private static final int ENOUGH_CHUNKS = 8;

  private static final String NEXT =
      "Use the log of the process that wrote this dump, from 'ran out of memory trying to allocate'"
          + " to 'Stats'.";

  private PoolMatch() {}

  /**
   * How the numbers agree.
   *
   * @param what was compared, a sentence without its end
   */
  public record Agreement(Certainty certainty, String what) {}

  static Result compare(DeviceSnapshot device, PoolText text) {
    if (device.facts().family() != AllocatorFamily.BFC || device.kind() != RecordingKind.DUMP) {
      return new Result.Contradicts(
          "The text is about the pool of a BFC allocator, and this is no dump of one",
          "Attach it to the MemoryDump of the same process, or open the log by itself.");
    }
    List<Long> recorded =
        device.trace().ooms().stream().map(OomEvent::requestedBytes).distinct().toList();
    if (!recorded.isEmpty() && !recorded.contains(text.requestedBytes())) {
      return new Result.Contradicts(
          "The text is about a request for "
              + ByteText.of(text.requestedBytes())
              + ", in the recording "
              + ByteText.of(recorded.getFirst()),
          NEXT);
    }
    return switch (agreement(device, text)) {
      case Compared.Same(Agreement agreement) ->
          new Result.Adds(
              DeviceEvidence.NONE, agreement.what() + ": " + agreement.certainty().label());
      case Compared.Other(String what) -> new Result.Contradicts(what, NEXT);
    };
  }

  /** The result of a comparison. */
  public sealed interface Compared {
    /** They are of one moment. */
    record Same(Agreement agreement) implements Compared {}

    /** They are not, or the text does not say enough. */
    record Other(String what) implements Compared {}
  }

  /** Compares the chunks, and where the text does not have all, the size classes. */
  public static Compared agreement(DeviceSnapshot device, PoolText text) {
    List<Block> blocks =
        device.segments().stream().flatMap(segment -> segment.blocks().stream()).toList();
    Map<Long, Block> byAddress =
        blocks.stream().collect(Collectors.toMap(Block::address, Function.identity()));
    for (ChunkLine line : text.chunks()) {
      Block block = byAddress.get(line.address());
      if (block == null || block.bytes() != line.bytes() || isFree(block) != line.isFree()) {
        return new Compared.Other(
            String.format(
                Locale.ROOT,
                "The text has a%s chunk of %,d bytes at 0x%x, which the dump does not have",
                line.isFree() ? " free" : "",
                line.bytes(),
                line.address()));
      }
    }
    if (!text.bins().isEmpty() && !haveSameBins(blocks, text)) {
      return new Compared.Other(
          "The numbers of chunks in the size classes of the text are not those of the dump");
    }
    long lines = text.chunks().stream().map(ChunkLine::address).distinct().count();
    if (lines == blocks.size()) {
      return same(
          Certainty.CERTAIN,
          lines == 1
              ? "its only chunk has the same address, size and state"
              : String.format(
                  Locale.ROOT, "all %,d chunks have the same address, size and state", lines));
    }
    if (lines >= ENOUGH_CHUNKS && !text.bins().isEmpty()) {
      return same(
          Certainty.CERTAIN,
          String.format(
              Locale.ROOT,
              "%,d of %,d chunks, all that the text has, have the same address, size and state, and"
                  + " the 21 size classes the same numbers",
              lines,
              blocks.size()));
    }
    return text.bins().isEmpty()
        ? new Compared.Other(
            "The text has the request, but neither all chunks of the pool nor the numbers of its"
                + " size classes, so whether it is about this dump cannot be seen")
        : same(
            Certainty.LIKELY,
            "the 21 size classes have the same numbers of chunks; addresses were not compared");
  }

  private static Compared same(Certainty certainty, String what) {
    return new Compared.Same(new Agreement(certainty, what));
  }

  private static boolean isFree(Block block) {
    return block.state() != BlockState.ALLOCATED;
  }

  /** The free middle of a pool that is used from both ends is in no size class. */
  private static boolean haveSameBins(List<Block> blocks, PoolText text) {
    long[] all = new long[text.bins().size()];
    long[] inUse = new long[all.length];
    for (Block block : blocks) {
      int bin = ChunkRules.bin(block.bytes());
      all[bin]++;
      inUse[bin] += isFree(block) ? 0 : 1;
    }
    int missing = 0;
    for (int bin = 0; bin < all.length; bin++) {
      long difference = all[bin] - text.bins().get(bin).all();
      if (inUse[bin] != text.bins().get(bin).inUse() || difference < 0) {
        return false;
      }
      missing += (int) Math.min(2, difference);
    }
    return missing <= 1;
  }
}
