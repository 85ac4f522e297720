package dev.vramscope.analysis.diff;

import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.StackTable;

/**
 * What two devices hold, compared by site and by stack. Bytes are requested sizes of active
 * allocations.
 *
 * @param beforeBytes of the first device
 * @param beforeCount number of its active allocations
 * @param afterBytes of the second device
 * @param afterCount number of its active allocations
 * @param sites by the frame of {@link StackClasses#siteOf}; the lines may differ, see {@link
 *     MovedSites}
 * @param stacks by all frames
 */
public record MemoryDiff(
    long beforeBytes,
    long beforeCount,
    long afterBytes,
    long afterCount,
    DiffRows sites,
    DiffRows stacks) {

  /** Compares two moments; with at most {@code limit} rows of each kind of difference. */
  public static MemoryDiff of(DeviceMoment before, DeviceMoment after, int limit) {
    StackTable beforeStacks = before.stacks().stacks();
    StackTable afterStacks = after.stacks().stacks();
    StackTotals beforeTotals = StackTotals.of(before);
    StackTotals afterTotals = StackTotals.of(after);
    CommonFrames frames = CommonFrames.of(beforeStacks, afterStacks);

    int[] moved = MovedSites.of(before, after, frames);
    PairedTotals sites = new PairedTotals(frames.count(), beforeTotals, afterTotals);
    sites.addBefore(
        stack -> frames.before(beforeStacks.frameNumber(before.stacks().siteOf(stack))));
    sites.addAfter(
        stack -> moved[frames.after(afterStacks.frameNumber(after.stacks().siteOf(stack)))]);

    CommonStacks common =
        new CommonStacks(beforeStacks, beforeTotals, afterStacks, afterTotals, frames);
    PairedTotals stacks = new PairedTotals(common.count(), beforeTotals, afterTotals);
    stacks.addBefore(common::before);
    stacks.addAfter(common::after);

    return new MemoryDiff(
        before.activeBytes(),
        beforeTotals.totalCount(),
        after.activeBytes(),
        afterTotals.totalCount(),
        sites.rows(limit),
        stacks.rows(limit));
  }

  public long differenceBytes() {
    return afterBytes - beforeBytes;
  }
}
