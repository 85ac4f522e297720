package dev.vramscope.analysis.sites;

import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.stacks.StackClasses;
import dev.vramscope.model.StackTable;
import java.util.Arrays;
import java.util.List;

/**
 * The active bytes of some sites over the recording, after events at equal distances. The last
 * sample is after the last event.
 */
public final class SiteGrowth {
  private final int[] events;
  private final long[][] bytes;

  private SiteGrowth(int[] events, long[][] bytes) {
    this.events = events;
    this.bytes = bytes;
  }

  /**
   * One pass over all allocations.
   *
   * @param eventCount number of events of the trace
   * @param maxSamples at most so many; fewer in a shorter trace
   */
  public static SiteGrowth of(
      List<Sites.Row> sites,
      Lifetimes lifetimes,
      StackClasses stacks,
      int eventCount,
      int maxSamples) {
    int[] events = new int[Math.min(maxSamples, eventCount)];
    for (int i = 0; i < events.length; i++) {
      events[i] = (int) ((i + 1L) * eventCount / events.length) - 1;
    }
    int[] siteOfStack = siteOfStack(sites, stacks);
    int inRecording = withoutStack(sites, /* beforeRecording= */ false);
    int before = withoutStack(sites, /* beforeRecording= */ true);
    // First the changes at each sample.
    long[][] bytes = new long[sites.size()][events.length];
    for (int row = 0; row < lifetimes.size(); row++) {
      int stack = lifetimes.stack(row);
      int site =
          stack != StackTable.NONE
              ? siteOfStack[stack]
              : row < lifetimes.liveBeforeCount() ? before : inRecording;
      if (site >= 0) {
        int first = firstSample(events, lifetimes.allocationEvent(row));
        int end = firstSample(events, lifetimes.endEvent(row));
        if (first < end) {
          bytes[site][first] += lifetimes.bytes(row);
          if (end < events.length) {
            bytes[site][end] -= lifetimes.bytes(row);
          }
        }
      }
    }
    for (long[] ofSite : bytes) {
      Arrays.parallelPrefix(ofSite, Long::sum);
    }
    return new SiteGrowth(events, bytes);
  }

  public int sampleCount() {
    return events.length;
  }

  /** The event of a sample. */
  public int event(int sample) {
    return events[sample];
  }

  /**
   * The requested bytes of a site that are active after the event of a sample.
   *
   * @param site its position in the list of sites
   */
  public long bytes(int site, int sample) {
    return bytes[site][sample];
  }

  public long mostBytes(int site) {
    return Arrays.stream(bytes[site]).max().orElse(0);
  }

  /** The first sample at or after an event. */
  private static int firstSample(int[] events, int event) {
    int index = Arrays.binarySearch(events, event);
    return index >= 0 ? index : -index - 1;
  }

  /** The position of the site of each stack, or -1 for all others. */
  private static int[] siteOfStack(List<Sites.Row> sites, StackClasses stacks) {
    StackTable table = stacks.stacks();
    int[] siteOfFrame = new int[table.frames().size()];
    Arrays.fill(siteOfFrame, -1);
    for (int i = 0; i < sites.size(); i++) {
      int stack = sites.get(i).stack();
      if (stack != StackTable.NONE) {
        siteOfFrame[table.frameNumber(stacks.siteOf(stack))] = i;
      }
    }
    int[] siteOfStack = new int[table.nodeCount()];
    siteOfStack[StackTable.NONE] = -1;
    for (int stack = 1; stack < siteOfStack.length; stack++) {
      siteOfStack[stack] = siteOfFrame[table.frameNumber(stacks.siteOf(stack))];
    }
    return siteOfStack;
  }

  private static int withoutStack(List<Sites.Row> sites, boolean beforeRecording) {
    for (int i = 0; i < sites.size(); i++) {
      Sites.Row site = sites.get(i);
      if (site.stack() == StackTable.NONE && site.beforeRecording() == beforeRecording) {
        return i;
      }
    }
    return -1;
  }
}
