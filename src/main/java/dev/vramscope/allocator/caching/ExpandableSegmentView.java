package dev.vramscope.allocator.caching;

/**
 * An expandable segment at one moment.
 *
 * @param small whether it serves small requests
 * @param mappedBytes memory behind it
 */
public record ExpandableSegmentView(int stream, boolean small, long mappedBytes) {}
