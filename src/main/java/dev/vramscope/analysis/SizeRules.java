package dev.vramscope.analysis;

import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.PoolKind;
import java.util.Optional;

/** PyTorch's size arithmetic: from a request to its block, its pool and its segment. */
public final class SizeRules {
  private SizeRules() {}

  /** The rules under the recorded settings; the allocator's defaults where none were recorded. */
  public static SizeRules of(Optional<AllocatorSettings> settings) {
    return Unbuilt.value();
  }

  /** Bytes of the smallest block that serves a request. */
  public long roundedBytes(long requestedBytes) {
    return Unbuilt.value();
  }

  /** The pool that a rounded request is served from. */
  public PoolKind kind(long roundedBytes) {
    return Unbuilt.value();
  }

  /** Bytes that are asked of the driver when no block serves a rounded request. */
  public long segmentBytes(long roundedBytes) {
    return Unbuilt.value();
  }
}
