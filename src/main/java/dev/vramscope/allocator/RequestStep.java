package dev.vramscope.allocator;

/**
 * What an allocator tries, one after the other, for a request until one of its blocks serves it.
 */
public enum RequestStep {
  /** Searched its free blocks. */
  SEARCH,
  /** Released old unused segments, because it holds more than a threshold. */
  COLLECT_GARBAGE,
  /** Compared what it would hold with its memory limit. */
  CHECK_LIMIT,
  /** Acquired a segment or a region from the device, or mapped pages. */
  ACQUIRE,
  /** Searched the free blocks of pools that may be used before a request fails. */
  SEARCH_FALLBACK_POOLS,
  /** Released free blocks that are too large to be split. */
  RELEASE_OVERSIZE,
  /** Released the whole cache. */
  RELEASE_CACHE,
  /** Merged chunks that had been freed too recently to be merged. */
  MERGE_RECENT_FREES,
  /** Released regions without an allocated chunk. */
  RELEASE_REGIONS
}
