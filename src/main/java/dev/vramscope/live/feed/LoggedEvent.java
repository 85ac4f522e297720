package dev.vramscope.live.feed;

/**
 * An event as the page lists it.
 *
 * @param version the version that has it
 * @param number its number among all events of the feed, dropped ones included
 * @param kind the allocator event's ordinal
 * @param extra of an allocation the block's bytes, of a failure what the device had free
 * @param pool an index in {@link PoolTable}
 * @param site a number of {@link SiteTable}
 * @param millis when the feed saw it, since the feed was made
 */
record LoggedEvent(
    long version,
    long number,
    int kind,
    long address,
    long bytes,
    long extra,
    int stream,
    int pool,
    int site,
    long millis) {}
