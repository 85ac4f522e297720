package dev.vramscope.live.lab;

import java.util.List;

/**
 * The search of free blocks for a request.
 *
 * @param bytes the rounded request
 * @param candidates the addresses of the free blocks that were looked at, smallest first
 * @param chosen the address of the one that served the request; -1 if none did
 * @param firstBin the first bin of a BFC allocator that was searched; -1 for other allocators
 * @param lastBin the bin of the chosen chunk, or the last one
 */
public record Search(long bytes, List<Long> candidates, long chosen, int firstBin, int lastBin) {
  /** No block was found. */
  public static final long NONE = -1;

  public Search {
    candidates = List.copyOf(candidates);
  }
}
