package dev.vramscope.postmortem.cause;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import java.util.Comparator;

/**
 * A free or pending block at the time of a request, and the reason why it was not used.
 *
 * @param segment the segment that contains the block
 * @param missingBytes rounded request minus block size, or 0 if the block is large enough
 * @param rejection the first reason that applies
 */
public record Candidate(Block block, Segment segment, long missingBytes, Rejection rejection) {
  /**
   * The fewest missing bytes first, then blocks of the right pool and stream, then larger blocks.
   */
  public static final Comparator<Candidate> NEAREST_FIRST =
      Comparator.comparingLong(Candidate::missingBytes)
          .thenComparing(candidate -> !candidate.isUsable())
          .thenComparingLong(candidate -> -candidate.block.bytes())
          .thenComparing(candidate -> candidate.block.address(), Long::compareUnsigned);

  public static Candidate of(Segment segment, Block block, Request request, SizeRules sizes) {
    long missingBytes = Math.max(0, request.roundedBytes() - block.bytes());
    return new Candidate(
        block, segment, missingBytes, rejection(segment, block, request, sizes, missingBytes));
  }

  private static Rejection rejection(
      Segment segment, Block block, Request request, SizeRules sizes, long missingBytes) {
    if (!request.isPlacedIn(segment)) {
      return misplacement(segment, request);
    }
    if (block.state() == BlockState.PENDING_FREE) {
      return new Rejection.PendingFree();
    }
    if (missingBytes > 0) {
      boolean isTail = segment.expandable() && block.end() == segment.end();
      return isTail
          ? new Rejection.ExpandableTail(missingBytes)
          : new Rejection.TooSmall(missingBytes);
    }
    if (sizes.maxSplitBytes().isEmpty() || sizes.mayServe(block.bytes(), request.roundedBytes())) {
      return new Rejection.Unexplained();
    }
    return sizes.isOversize(request.roundedBytes())
        ? new Rejection.OversizeExcess(sizes.maxNonSplitRoundingBytes())
        : new Rejection.OversizeRule(sizes.maxSplitBytes().getAsLong());
  }

  private static Rejection misplacement(Segment segment, Request request) {
    if (!segment.pool().equals(request.pool())) {
      return new Rejection.OtherPool(segment.pool());
    }
    return segment.kind() == request.kind()
        ? new Rejection.OtherStream(segment.stream())
        : new Rejection.OtherKind(segment.kind());
  }

  /** Whether the block is free, and in the pool, size class and stream of the request. */
  public boolean isUsable() {
    return switch (rejection) {
      case Rejection.TooSmall _,
          Rejection.ExpandableTail _,
          Rejection.OversizeRule _,
          Rejection.OversizeExcess _,
          Rejection.Unexplained _ ->
          true;
      case Rejection.OtherStream _,
          Rejection.OtherKind _,
          Rejection.OtherPool _,
          Rejection.PendingFree _ ->
          false;
    };
  }

  public boolean isFree() {
    return block.state() == BlockState.INACTIVE;
  }
}
