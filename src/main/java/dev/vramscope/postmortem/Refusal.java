package dev.vramscope.postmortem;

import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;

/** Why a free block did not serve a request. */
public sealed interface Refusal {
  /** The right place, but too few bytes. */
  record TooSmall(long missingBytes) implements Refusal {}

  /** The free end of an expandable segment: the rest could not be mapped. */
  record ExpandableTail(long missingBytes) implements Refusal {}

  /** Blocks of at least {@code max_split_size} only serve requests of that size, whole. */
  record OversizeRule(long maxSplitBytes) implements Refusal {}

  /** Large enough, but of another stream. */
  record OtherStream(long stream) implements Refusal {}

  /** Large enough, but of the other size class. */
  record OtherKind(PoolKind kind) implements Refusal {}

  /** Large enough, but of a private pool. */
  record PrivatePool(PoolId pool) implements Refusal {}

  /** Freed by its client, but another stream may still be using it. */
  record WaitingForStream() implements Refusal {}

  /** By what the trace shows it would have fitted: the reconstruction or the recording is amiss. */
  record Unexplained() implements Refusal {}
}
