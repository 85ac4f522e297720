package dev.vramscope.live.cost;

import java.util.Locale;

/** What is timed. */
public enum CostOperation {
  DRIVER_ALLOCATE("The driver allocates memory."),
  DRIVER_FREE_IDLE("The driver frees memory while all streams are idle."),
  DRIVER_FREE_BUSY("The driver frees memory while a stream is busy, and waits for it."),
  DRIVER_MAP("The driver creates a page, maps it and allows access to it."),
  DRIVER_UNMAP("The stream is synchronized, idle as it is; the driver unmaps and releases a page."),
  CACHED_ALLOCATE("The caching allocator hands out a block from its cache."),
  CACHED_FREE("The caching allocator takes a block back into its cache.");

  private final String description;

  CostOperation(String description) {
    this.description = description;
  }

  /** The name in answers. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** One sentence. */
  public String description() {
    return description;
  }
}
