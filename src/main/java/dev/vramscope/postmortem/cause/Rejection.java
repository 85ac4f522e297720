package dev.vramscope.postmortem.cause;

import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;

/** The reason why a free or pending block was not used for a request. */
public sealed interface Rejection {
  /** The identifier in REST responses. */
  default String id() {
    return switch (this) {
      case TooSmall _ -> "too-small";
      case ExpandableTail _ -> "expandable-tail";
      case OversizeRule _ -> "oversize-rule";
      case OversizeExcess _ -> "oversize-excess";
      case OtherStream _ -> "other-stream";
      case OtherKind _ -> "other-kind";
      case OtherPool _ -> "other-pool";
      case PendingFree _ -> "pending-free";
      case Unexplained _ -> "unexplained";
    };
  }

  /** In the right pool and stream, but too small. */
  record TooSmall(long missingBytes) implements Rejection {}

  /** The free end of an expandable segment, where the missing pages could not be mapped. */
  record ExpandableTail(long missingBytes) implements Rejection {}

  /** Blocks of at least {@code max_split_size} are used only for requests of at least that size. */
  record OversizeRule(long maxSplitBytes) implements Rejection {}

  /**
   * The request is oversize, too, but such a block must exceed it by less than {@code
   * max_non_split_rounding_mb}, because it is not split.
   */
  record OversizeExcess(long maxRoundingBytes) implements Rejection {}

  /** The block belongs to another stream. */
  record OtherStream(long stream) implements Rejection {}

  /** In the other size class. */
  record OtherKind(PoolKind kind) implements Rejection {}

  /** In another pool. */
  record OtherPool(PoolId pool) implements Rejection {}

  /** Freed by its client, but another stream may still be using it. */
  record PendingFree() implements Rejection {}

  /**
   * None found: the block could have been used, so the recording or the reconstruction is wrong.
   */
  record Unexplained() implements Rejection {}
}
