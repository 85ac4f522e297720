package dev.vramscope.live.feed;

import dev.vramscope.model.TraceAction;

/**
 * An event of the log that the page shows.
 *
 * @param version the first version that contains it
 * @param number its number in the recorded history, from 0, as in the trace of a snapshot
 * @param extra for an allocation, the size of the block; for a failure, the free memory of the
 *     device
 * @param pool an index in {@link PoolTable}
 * @param site an index in {@link SiteTable}
 * @param millis the time at which the feed received it, since the feed was created
 */
record LoggedEvent(
    long version,
    long number,
    TraceAction action,
    long address,
    long bytes,
    long extra,
    int stream,
    int pool,
    int site,
    long millis) {}
