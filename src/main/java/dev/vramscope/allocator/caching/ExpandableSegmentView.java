package dev.vramscope.allocator.caching;

/**
 * An expandable segment at one moment.
 *
 * @param small whether it serves small requests
 * @param mappedBytes memory mapped into it
 */
public record ExpandableSegmentView(int stream, boolean small, long mappedBytes) {}
