package dev.vramscope.format.export;

import dev.vramscope.model.Block;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import java.io.IOException;
import java.util.List;

/** Writes {@code segments}: one list for all devices, each segment with its blocks. */
final class SegmentSection {
  private final PickleOutput pickle;
  private final StackWriter stacks;
  private final PoolIdWriter pools;

  SegmentSection(PickleOutput pickle, StackWriter stacks, PoolIdWriter pools) {
    this.pickle = pickle;
    this.stacks = stacks;
    this.pools = pools;
  }

  void write(List<DeviceSnapshot> devices) throws IOException {
    pickle.emptyList();
    int inBatch = 0;
    for (DeviceSnapshot device : devices) {
      for (Segment segment : device.segments()) {
        if (inBatch == 0) {
          pickle.mark();
        }
        writeSegment(device.ordinal(), segment);
        if (++inBatch == PickleOutput.BATCH) {
          pickle.appends();
          inBatch = 0;
        }
      }
    }
    if (inBatch > 0) {
      pickle.appends();
    }
  }

  private void writeSegment(int device, Segment segment) throws IOException {
    long requestedBytes = 0;
    for (Block block : segment.blocks()) {
      requestedBytes += block.isActive() ? requestedBytes(block) : 0;
    }
    pickle.emptyDict();
    pickle.mark();
    pickle.text("device");
    pickle.number(device);
    pickle.text("address");
    pickle.unsigned(segment.address());
    pickle.text("total_size");
    pickle.number(segment.bytes());
    pickle.text("allocated_size");
    pickle.number(segment.allocatedBytes());
    pickle.text("active_size");
    pickle.number(segment.allocatedBytes() + segment.pendingFreeBytes());
    pickle.text("requested_size");
    pickle.number(requestedBytes);
    pickle.text("stream");
    pickle.number(segment.stream());
    pickle.text("segment_type");
    pickle.text(segment.kind() == PoolKind.SMALL ? "small" : "large");
    pickle.text("segment_pool_id");
    pools.write(segment.pool());
    pickle.text("is_expandable");
    pickle.bool(segment.expandable());
    pickle.text("frames");
    stacks.write(segment.stack());
    pickle.text("blocks");
    writeBlocks(segment.blocks());
    pickle.setItems();
  }

  private void writeBlocks(List<Block> blocks) throws IOException {
    pickle.emptyList();
    for (int i = 0; i < blocks.size(); i++) {
      if (i % PickleOutput.BATCH == 0) {
        pickle.mark();
      }
      writeBlock(blocks.get(i));
      if ((i + 1) % PickleOutput.BATCH == 0 || i + 1 == blocks.size()) {
        pickle.appends();
      }
    }
  }

  private void writeBlock(Block block) throws IOException {
    pickle.emptyDict();
    pickle.mark();
    pickle.text("address");
    pickle.unsigned(block.address());
    pickle.text("size");
    pickle.number(block.bytes());
    pickle.text("requested_size");
    pickle.number(requestedBytes(block));
    if (block.isActive() && block.requestedBytes() == Block.UNKNOWN) {
      pickle.text("requested_size_unknown");
      pickle.bool(true);
    }
    pickle.text("state");
    pickle.text(
        switch (block.state()) {
          case ALLOCATED -> "active_allocated";
          case PENDING_FREE -> "active_pending_free";
          case INACTIVE -> "inactive";
        });
    pickle.text("frames");
    stacks.write(block.stack());
    pickle.setItems();
  }

  /**
   * PyTorch's tools fail without this field. If it is unknown, the block's size is written, which
   * is what they use for older files without the field, and is marked; and 0 for an inactive block,
   * the value of a block that was never allocated.
   */
  private static long requestedBytes(Block block) {
    if (block.requestedBytes() != Block.UNKNOWN) {
      return block.requestedBytes();
    }
    return block.isActive() ? block.bytes() : 0;
  }
}
