package dev.vramscope.format.torch;

import dev.vramscope.format.FormatException;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.finding.FindingKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The blocks of a segment, arranged so that they tile it. In PyTorch's files they already do. In
 * files of other producers, overlapping blocks are moved after the previous block, gaps become
 * inactive blocks, the segment is extended to contain all blocks, and a block's requested size is
 * limited to its size; each correction is counted.
 *
 * @param bytes of the segment, the sum of its blocks
 * @param blocks in address order, without gaps
 */
record SegmentTiles(long bytes, List<Block> blocks) {
  private static final long UNKNOWN = -1;

  /** A block as recorded; before PyTorch 2.1 blocks have no address. */
  record RecordedBlock(boolean addressKnown, Block block) {}

  static SegmentTiles of(
      long address,
      long bytes,
      List<RecordedBlock> recorded,
      Fields.Row segment,
      FindingCounter findings)
      throws FormatException {
    requireNoWrap(address, Math.max(bytes, 0), segment);
    List<RecordedBlock> ordered = recorded;
    if (recorded.stream().allMatch(RecordedBlock::addressKnown)) {
      ordered =
          recorded.stream()
              .sorted(
                  Comparator.comparing(
                      (RecordedBlock candidate) -> candidate.block().address(),
                      Long::compareUnsigned))
              .toList();
    }
    List<Block> tiles = new ArrayList<>(ordered.size());
    // Offsets from the segment's address are small; addresses are unsigned.
    long end = 0;
    for (RecordedBlock candidate : ordered) {
      Block block = candidate.block();
      if (block.bytes() == 0) {
        findings.count(FindingKind.EMPTY_BLOCKS);
        continue;
      }
      long begin = candidate.addressKnown() ? block.address() - address : end;
      if (begin < end) {
        findings.count(FindingKind.BLOCKS_OVERLAP);
      } else if (begin > end && begin <= Fields.MAX_BYTES) {
        findings.count(FindingKind.BLOCKS_MISSING);
        tiles.add(gap(address + end, begin - end));
        end = begin;
      } else if (begin > end) {
        throw Fields.malformed(
            segment,
            Key.BLOCKS,
            "a block begins " + begin + " bytes after the start of its segment");
      }
      long requested = block.requestedBytes();
      if (requested > block.bytes()) {
        findings.count(FindingKind.REQUESTED_EXCEEDS_BLOCK);
        requested = block.bytes();
      }
      tiles.add(new Block(address + end, block.bytes(), requested, block.state(), block.stack()));
      end += block.bytes();
      if (end > Fields.MAX_BYTES) {
        throw Fields.malformed(segment, Key.BLOCKS, "the blocks exceed the memory of any device");
      }
    }
    if (bytes > end) {
      findings.count(FindingKind.BLOCKS_MISSING);
      tiles.add(gap(address + end, bytes - end));
      end = bytes;
    } else if (bytes != UNKNOWN && bytes < end) {
      findings.count(FindingKind.BLOCKS_BEYOND_SEGMENT);
    }
    requireNoWrap(address, end, segment);
    return new SegmentTiles(end, tiles);
  }

  /** Counts a difference between the recorded totals of the segment and the sums of its blocks. */
  void checkSums(
      long allocatedBytes, long activeBytes, long requestedBytes, FindingCounter findings) {
    long allocated = 0;
    long active = 0;
    long requested = 0;
    boolean requestedKnown = true;
    for (Block block : blocks) {
      if (block.isActive()) {
        active += block.bytes();
        allocated += block.state() == BlockState.ALLOCATED ? block.bytes() : 0;
        requestedKnown &= block.requestedBytes() != Block.UNKNOWN;
        requested += block.requestedBytes();
      }
    }
    boolean anyDiffers =
        differs(allocatedBytes, allocated)
            || differs(activeBytes, active)
            || (requestedKnown && differs(requestedBytes, requested));
    if (anyDiffers) {
      findings.count(FindingKind.RECORDED_SUMS_DIFFER);
    }
  }

  private static void requireNoWrap(long address, long bytes, Fields.Row segment)
      throws FormatException {
    if (Long.compareUnsigned(address + bytes, address) < 0) {
      throw Fields.malformed(
          segment,
          Key.ADDRESS,
          "0x" + Long.toHexString(address) + " + " + bytes + " bytes exceeds the address space");
    }
  }

  private static boolean differs(long recordedBytes, long bytes) {
    return recordedBytes != UNKNOWN && recordedBytes != bytes;
  }

  private static Block gap(long address, long bytes) {
    return new Block(address, bytes, Block.UNKNOWN, BlockState.INACTIVE, StackTable.NONE);
  }
}
