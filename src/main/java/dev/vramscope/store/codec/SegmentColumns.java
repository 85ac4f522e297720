package dev.vramscope.store.codec;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import java.util.ArrayList;
import java.util.List;

/**
 * A chunk of segments, row by row, each followed by its blocks. Blocks tile their segment, so an
 * address is stored as its distance from the end of the previous block, which is almost always 0.
 *
 * <pre>
 *   segment  address minus the end of the previous segment · bytes · stream · kind · pool ·
 *            expandable · stack minus the previous stack · number of blocks
 *   block    address minus the end of the previous block · bytes · state · requested + 1 ·
 *            stack minus the previous stack
 * </pre>
 */
final class SegmentColumns {
  /** A chunk ends with the segment that reaches this number of blocks. */
  private static final int CHUNK_BLOCKS = 1 << 16;

  private SegmentColumns() {}

  /** Writes segments from index {@code from} until the chunk is full; returns the next index. */
  static int write(List<Segment> segments, int from, ColumnWriter out) {
    int to = from;
    int blocks = 0;
    while (to < segments.size() && blocks < CHUNK_BLOCKS) {
      blocks += segments.get(to++).blocks().size() + 1;
    }
    out.number(to - from);
    long expected = 0;
    int lastStack = 0;
    for (Segment segment : segments.subList(from, to)) {
      out.signed(segment.address() - expected);
      out.number(segment.bytes());
      out.number(segment.stream());
      out.number(segment.kind() == PoolKind.SMALL ? 0 : 1);
      out.number(segment.pool().graph());
      out.number(segment.pool().user());
      out.number(segment.expandable() ? 1 : 0);
      out.signed(segment.stack() - lastStack);
      lastStack = segment.stack();
      out.number(segment.blocks().size());
      long next = segment.address();
      for (Block block : segment.blocks()) {
        out.signed(block.address() - next);
        out.number(block.bytes());
        out.number(code(block.state()));
        out.number(block.requestedBytes() + 1);
        out.signed(block.stack() - lastStack);
        lastStack = block.stack();
        next = block.end();
      }
      expected = segment.end();
    }
    return to;
  }

  static void read(ColumnReader in, int stackNodes, List<Segment> segments) {
    int count = in.count();
    long expected = 0;
    int lastStack = 0;
    for (int i = 0; i < count; i++) {
      long address = expected + in.signed();
      long bytes = in.number();
      long stream = in.number();
      PoolKind kind = in.index(2) == 0 ? PoolKind.SMALL : PoolKind.LARGE;
      PoolId pool = new PoolId(in.number(), in.number());
      boolean expandable = in.index(2) == 1;
      int stack = stack(in, lastStack, stackNodes);
      lastStack = stack;
      int blockCount = in.count();
      List<Block> blocks = new ArrayList<>();
      long next = address;
      for (int b = 0; b < blockCount; b++) {
        long blockAddress = next + in.signed();
        long blockBytes = in.number();
        BlockState state = state(in.index(3));
        long requested = in.number() - 1;
        lastStack = stack(in, lastStack, stackNodes);
        blocks.add(new Block(blockAddress, blockBytes, requested, state, lastStack));
        next = blockAddress + blockBytes;
      }
      segments.add(new Segment(address, bytes, stream, kind, pool, expandable, stack, blocks));
      expected = address + bytes;
    }
    in.requireEnd();
  }

  private static int stack(ColumnReader in, int last, int nodes) {
    long stack = last + in.signed();
    if (stack < 0 || stack >= nodes) {
      throw in.unreadable("stack " + stack + " of " + nodes);
    }
    return (int) stack;
  }

  private static int code(BlockState state) {
    return switch (state) {
      case ALLOCATED -> 0;
      case PENDING_FREE -> 1;
      case INACTIVE -> 2;
    };
  }

  private static BlockState state(int code) {
    return switch (code) {
      case 0 -> BlockState.ALLOCATED;
      case 1 -> BlockState.PENDING_FREE;
      default -> BlockState.INACTIVE;
    };
  }
}
