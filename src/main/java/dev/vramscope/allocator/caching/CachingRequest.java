package dev.vramscope.allocator.caching;

/** A request that the cache could not serve, during {@link AllocateSteps}. */
final class CachingRequest {
  final long requestedBytes;
  final long bytes;
  final long segmentBytes;
  final int stream;
  final boolean expandable;
  private Pool pool;
  private boolean rejected;

  CachingRequest(
      long requestedBytes,
      long bytes,
      long segmentBytes,
      int stream,
      boolean expandable,
      Pool pool) {
    this.requestedBytes = requestedBytes;
    this.bytes = bytes;
    this.segmentBytes = segmentBytes;
    this.stream = stream;
    this.expandable = expandable;
    this.pool = pool;
  }

  Pool pool() {
    return pool;
  }

  /** A fallback pool serves the request. */
  void moveTo(Pool other) {
    pool = other;
  }

  /** Whether the settings forbid asking the device. */
  boolean isRejected() {
    return rejected;
  }

  void reject() {
    rejected = true;
  }
}
