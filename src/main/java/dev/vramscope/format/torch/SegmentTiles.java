package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.torch.FindingCounter.Issue;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.StackTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A segment's blocks, laid so that they tile it. PyTorch's own files do already; where another
 * writer's do not, blocks are moved behind the block they overlap, holes become inactive blocks,
 * and the segment grows to hold all of them; each of these is counted.
 *
 * @param bytes of the segment, the sum of its blocks
 * @param blocks in address order, without gaps
 */
record SegmentTiles(long bytes, List<Block> blocks) {
  private static final long UNKNOWN = -1;

  /** A block as recorded; before PyTorch 2.1 without an address of its own. */
  record RecordedBlock(boolean addressKnown, Block block) {}

  static SegmentTiles of(
      long address,
      long bytes,
      List<RecordedBlock> pieces,
      Fields.Row segment,
      FindingCounter tally)
      throws FormatException {
    requireNoWrap(address, Math.max(bytes, 0), segment);
    List<RecordedBlock> ordered = pieces;
    if (pieces.stream().allMatch(RecordedBlock::addressKnown)) {
      ordered =
          pieces.stream()
              .sorted(
                  Comparator.comparing(
                      (RecordedBlock piece) -> piece.block().address(), Long::compareUnsigned))
              .toList();
    }
    List<Block> tiles = new ArrayList<>(ordered.size());
    // Offsets from the segment's address are small and signed, addresses are not.
    long end = 0;
    for (RecordedBlock piece : ordered) {
      Block block = piece.block();
      if (block.bytes() == 0) {
        tally.count(Issue.EMPTY_BLOCKS);
        continue;
      }
      long begin = piece.addressKnown() ? block.address() - address : end;
      if (begin < end) {
        tally.count(Issue.BLOCKS_OVERLAP);
      } else if (begin > end && begin <= Fields.MAX_BYTES) {
        tally.count(Issue.BLOCKS_MISSING);
        tiles.add(hole(address + end, begin - end));
        end = begin;
      } else if (begin > end) {
        throw Fields.wrong(
            segment, Key.BLOCKS, "a block lies " + begin + " bytes behind its segment's begin");
      }
      tiles.add(
          new Block(
              address + end, block.bytes(), block.requestedBytes(), block.state(), block.stack()));
      end += block.bytes();
      if (end > Fields.MAX_BYTES) {
        throw Fields.wrong(segment, Key.BLOCKS, "the blocks are more than any device has");
      }
    }
    if (bytes > end) {
      tally.count(Issue.BLOCKS_MISSING);
      tiles.add(hole(address + end, bytes - end));
      end = bytes;
    } else if (bytes != UNKNOWN && bytes < end) {
      tally.count(Issue.BLOCKS_BEYOND_SEGMENT);
    }
    requireNoWrap(address, end, segment);
    return new SegmentTiles(end, tiles);
  }

  /** Counts a difference between what the segment states and what its blocks add up to. */
  void checkSums(long allocatedBytes, long activeBytes, long requestedBytes, FindingCounter tally) {
    long allocated = 0;
    long active = 0;
    long requested = 0;
    boolean requestedKnown = true;
    for (Block block : blocks) {
      if (block.isActive()) {
        if (block.requestedBytes() > block.bytes()) {
          tally.count(Issue.REQUESTED_EXCEEDS_BLOCK);
        }
        active += block.bytes();
        allocated += block.state() == BlockState.ALLOCATED ? block.bytes() : 0;
        requestedKnown &= block.requestedBytes() != Block.UNKNOWN;
        requested += block.requestedBytes();
      }
    }
    boolean differs =
        isOther(allocatedBytes, allocated)
            || isOther(activeBytes, active)
            || (requestedKnown && isOther(requestedBytes, requested));
    if (differs) {
      tally.count(Issue.RECORDED_SUMS_DIFFER);
    }
  }

  private static void requireNoWrap(long address, long bytes, Fields.Row segment)
      throws FormatException {
    if (Long.compareUnsigned(address + bytes, address) < 0) {
      throw Fields.wrong(
          segment,
          Key.ADDRESS,
          "0x" + Long.toHexString(address) + " + " + bytes + " bytes runs past the address space");
    }
  }

  private static boolean isOther(long recordedBytes, long bytes) {
    return recordedBytes != UNKNOWN && recordedBytes != bytes;
  }

  private static Block hole(long address, long bytes) {
    return new Block(address, bytes, Block.UNKNOWN, BlockState.INACTIVE, StackTable.NONE);
  }
}
