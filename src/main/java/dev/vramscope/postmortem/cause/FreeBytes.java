package dev.vramscope.postmortem.cause;

import java.util.List;

/**
 * The free and pending bytes at the time of a request, by the reason why they were not used. They
 * add up to {@code cached + pendingFree}.
 *
 * @param usable free in the request's pool, size class and stream
 * @param largestUsable the largest such block, 0 if there is none
 * @param otherStream free in the request's pool and size class, but of other streams
 * @param otherKind free in the request's pool, but of the other size class
 * @param otherPool free in other pools
 * @param pendingFree freed by clients but still waiting for a stream, in any pool
 */
public record FreeBytes(
    long usable,
    long largestUsable,
    long otherStream,
    long otherKind,
    long otherPool,
    long pendingFree) {

  public static FreeBytes of(List<Candidate> candidates) {
    long usable = 0;
    long largest = 0;
    long otherStream = 0;
    long otherKind = 0;
    long otherPool = 0;
    long pendingFree = 0;
    for (Candidate candidate : candidates) {
      long bytes = candidate.block().bytes();
      if (!candidate.isFree()) {
        pendingFree += bytes;
        continue;
      }
      switch (candidate.rejection()) {
        case Rejection.OtherStream _ -> otherStream += bytes;
        case Rejection.OtherKind _ -> otherKind += bytes;
        case Rejection.OtherPool _ -> otherPool += bytes;
        default -> {
          usable += bytes;
          largest = Math.max(largest, bytes);
        }
      }
    }
    return new FreeBytes(usable, largest, otherStream, otherKind, otherPool, pendingFree);
  }

  /** Free bytes in all pools. */
  public long cached() {
    return usable + otherStream + otherKind + otherPool;
  }
}
