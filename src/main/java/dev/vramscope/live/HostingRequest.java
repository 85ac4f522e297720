package dev.vramscope.live;

import dev.vramscope.recorder.HistorySettings;

/**
 * What to host.
 *
 * @param name what people call it; only ever shown
 * @param device the card
 * @param kind which allocator
 * @param settings in the words of that kind, see {@link AllocatorKind}; may be empty
 * @param history what the recorder keeps
 */
public record HostingRequest(
    String name,
    DeviceChoice device,
    AllocatorKind kind,
    String settings,
    HistorySettings history) {}
