package dev.vramscope.live.lab;

import java.util.List;

/**
 * The search of free blocks for a request.
 *
 * @param bytes the rounded request
 * @param candidates the addresses of the free blocks that were looked at, smallest first; at most
 *     {@link #MAX_CANDIDATES}
 * @param chosen the address of the one that served the request; -1 if none did
 * @param firstBin the first bin of a BFC allocator that was searched; -1 for other allocators
 * @param lastBin the bin of the chosen chunk, or the last one
 */
public record Search(long bytes, List<Long> candidates, long chosen, int firstBin, int lastBin) {
  /** The most candidates that are named. */
  public static final int MAX_CANDIDATES = 100;

  /** No block was found. */
  public static final long NONE = -1;

  public Search {
    candidates = List.copyOf(candidates.subList(0, Math.min(MAX_CANDIDATES, candidates.size())));
  }
}
