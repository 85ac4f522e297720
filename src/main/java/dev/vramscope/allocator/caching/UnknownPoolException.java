package dev.vramscope.allocator.caching;

import dev.vramscope.model.PoolId;

/** There is no private pool with that id: it was never created, or removed after its last user. */
public final class UnknownPoolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnknownPoolException(PoolId id) {
    super(
        "There is no private pool "
            + id
            + "; it was never created, or was removed after its last user.");
  }
}
