package dev.vramscope.postmortem.frees;

import dev.vramscope.postmortem.cause.RequestState;

/**
 * What frees would have changed for a request, and what of the free memory it could use.
 *
 * @param cheapest the frees with the least live bytes after which the request is served
 * @param ranking the live blocks next to the most free memory
 * @param pins the segments that a few live blocks keep from being released
 * @param largestFit the largest request that would have been served
 * @param histogram the free blocks by size
 */
public record Frees(
    CheapestFrees cheapest,
    BlockRanking ranking,
    Pins pins,
    LargestFit largestFit,
    FreeHistogram histogram) {
  public static Frees of(RequestState state) {
    return new Frees(
        CheapestFrees.of(state),
        BlockRanking.of(state),
        Pins.of(state),
        LargestFit.of(state),
        FreeHistogram.of(state.candidates(), state.request().roundedBytes()));
  }
}
