package dev.vramscope.live.lab;

import java.util.List;

/**
 * A segment with its blocks, which cover it.
 *
 * @param pool {@code large}, {@code small}, or {@code region} for BFC, which has no pools by size
 * @param registration the order in which segments were acquired
 * @param bins of a BFC allocator: the bin of each block's size; empty otherwise
 */
public record ShownSegment(
    long address,
    long bytes,
    int stream,
    String pool,
    boolean isExpandable,
    long registration,
    List<ShownBlock> blocks,
    List<Integer> bins) {
  public ShownSegment {
    blocks = List.copyOf(blocks);
    bins = List.copyOf(bins);
  }
}
