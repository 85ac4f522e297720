package dev.vramscope.web.sites;

import dev.vramscope.analysis.sites.Sites;
import dev.vramscope.analysis.stacks.FrameKind;
import dev.vramscope.model.Frame;
import org.jspecify.annotations.Nullable;

/**
 * An allocation site in JSON; see {@link Sites.Row}. Without a trace, only the state at the end is
 * known: the numbers that count events are null.
 */
record SiteView(
    @Nullable Frame frame,
    @Nullable FrameKind kind,
    boolean beforeRecording,
    long liveBytes,
    long liveCount,
    long pendingFreeBytes,
    @Nullable Long peakBytes,
    @Nullable Long peakCount,
    @Nullable Long allocationCount,
    @Nullable Long totalBytes,
    @Nullable Long neverFreedCount,
    @Nullable Long neverFreedBytes,
    String use,
    int stack) {

  static SiteView of(Sites.Row row, @Nullable Frame frame, boolean hasEvents) {
    return new SiteView(
        frame,
        row.kind(),
        row.beforeRecording(),
        row.liveBytes(),
        row.liveCount(),
        row.pendingFreeBytes(),
        hasEvents ? row.peakBytes() : null,
        hasEvents ? row.peakCount() : null,
        hasEvents ? row.allocationCount() : null,
        hasEvents ? row.totalBytes() : null,
        hasEvents ? row.neverFreedCount() : null,
        hasEvents ? row.neverFreedBytes() : null,
        row.use().id(),
        row.stack());
  }
}
