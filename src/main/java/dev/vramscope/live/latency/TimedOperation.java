package dev.vramscope.live.latency;

import java.util.Locale;

/** A timed operation. */
public enum TimedOperation {
  DRIVER_ALLOCATE("The driver allocates memory."),
  DRIVER_FREE_IDLE("The driver frees memory while all streams are idle."),
  DRIVER_FREE_BUSY("The driver frees memory while a stream is busy, and waits for the stream."),
  DRIVER_MAP("The driver creates a page, maps it and enables access to it."),
  DRIVER_UNMAP("An idle stream is synchronized; the driver unmaps and releases a page."),
  CACHED_ALLOCATE("The caching allocator allocates a block from its cache."),
  CACHED_FREE("The caching allocator returns a block to its cache.");

  private final String description;

  TimedOperation(String description) {
    this.description = description;
  }

  /** The identifier in responses. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A sentence for users. */
  public String description() {
    return description;
  }
}
