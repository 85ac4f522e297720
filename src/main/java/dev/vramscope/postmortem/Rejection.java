package dev.vramscope.postmortem;

import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;

/** Why a block that held no client's data did not serve a request. */
public sealed interface Rejection {
  /** The identifier in REST answers. */
  default String id() {
    return switch (this) {
      case TooSmall _ -> "too-small";
      case ExpandableTail _ -> "expandable-tail";
      case OversizeRule _ -> "oversize-rule";
      case OtherStream _ -> "other-stream";
      case OtherKind _ -> "other-kind";
      case OtherPool _ -> "other-pool";
      case PendingFree _ -> "pending-free";
      case Unexplained _ -> "unexplained";
    };
  }

  /** The right place, but too few bytes. */
  record TooSmall(long missingBytes) implements Rejection {}

  /** The free end of an expandable segment: the missing pages could not be mapped. */
  record ExpandableTail(long missingBytes) implements Rejection {}

  /** Blocks of at least {@code max_split_size} serve only requests of that size. */
  record OversizeRule(long maxSplitBytes) implements Rejection {}

  /** Of another stream than the request's. */
  record OtherStream(long stream) implements Rejection {}

  /** Of the other size class. */
  record OtherKind(PoolKind kind) implements Rejection {}

  /** Of another pool than the request's. */
  record OtherPool(PoolId pool) implements Rejection {}

  /** Freed by its client, but another stream may still be using it. */
  record PendingFree() implements Rejection {}

  /** It would have served: the reconstruction or the recording is amiss. */
  record Unexplained() implements Rejection {}
}
