package dev.vramscope.analysis;

import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.analysis.lifetimes.RingWrap;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;

/**
 * Data that is missing in the recording of a device, as findings about its effect on the results.
 *
 * @param findings most severe first
 * @param isPeakUncertain whether older events were lost, so that the recording's peak may lie
 *     before the first event
 */
public record MissingData(List<Finding> findings, boolean isPeakUncertain) {
  public MissingData {
    findings = List.copyOf(findings);
  }

  public static MissingData of(
      Snapshot snapshot, DeviceSnapshot device, Lifetimes lifetimes, ActiveBytes active) {
    List<Finding> findings = new ArrayList<>(snapshot.findings());
    findings.addAll(lifetimes.findings());
    if (!device.kind().hasAddresses()) {
      stacksMissing(lifetimes, findings);
      findings.sort(Comparator.comparing(Finding::severity).reversed());
      return new MissingData(findings, /* isPeakUncertain= */ false);
    }
    Trace trace = device.trace();
    boolean isPeakUncertain = false;
    if (device.isFailedRequestUnknown()) {
      findings.add(FindingKind.REQUEST_MISSING.finding(1));
    } else if (trace.isEmpty()) {
      findings.add(FindingKind.TRACE_EMPTY.finding(1));
    } else if (device.kind() != RecordingKind.DUMP) {
      isPeakUncertain = ringWrapped(RingWrap.of(snapshot, device), findings);
      isPeakUncertain |= eventsLost(lifetimes, findings);
      liveBefore(lifetimes, active, findings);
      timesMissing(trace, findings);
    }
    stacksMissing(lifetimes, findings);
    requestsUnknown(lifetimes, findings);
    reservedUnknown(trace, active, findings);
    segmentsMissing(device, active, findings);
    if (snapshot.settings().isEmpty() && device.facts().family() == AllocatorFamily.CACHING) {
      findings.add(FindingKind.SETTINGS_UNKNOWN.finding(1));
    }
    findings.sort(Comparator.comparing(Finding::severity).reversed());
    return new MissingData(findings, isPeakUncertain);
  }

  /** The findings of several devices, each once, most severe first. */
  public static List<Finding> distinct(List<List<Finding>> ofDevices) {
    return ofDevices.stream()
        .flatMap(List::stream)
        .distinct()
        .sorted(Comparator.comparing(Finding::severity).reversed())
        .toList();
  }

  /** Number and bytes of the lifetimes for which a condition holds. */
  private record Rows(long count, long bytes) {
    static Rows of(Lifetimes lifetimes, int first, int end, IntPredicate condition) {
      long count = 0;
      long bytes = 0;
      for (int row = first; row < end; row++) {
        if (condition.test(row)) {
          count++;
          bytes += lifetimes.bytes(row);
        }
      }
      return new Rows(count, bytes);
    }
  }

  private static boolean ringWrapped(RingWrap wrap, List<Finding> findings) {
    if (wrap.isLikely() && !wrap.reason().isEmpty()) {
      findings.add(
          FindingKind.RING_WRAPPED.finding(
              1, wrap.isCertain() ? "was full" : "was probably full", wrap.reason()));
    }
    return wrap.isLikely();
  }

  /**
   * A block with a stack was allocated while stacks were recorded. If its allocation has no event,
   * the recording began before the trace does.
   */
  private static boolean eventsLost(Lifetimes lifetimes, List<Finding> findings) {
    Rows lostRows = Rows.of(lifetimes, 0, lifetimes.liveBeforeCount(), lifetimes::hasStack);
    if (lostRows.count() > 0) {
      findings.add(
          FindingKind.EVENTS_LOST.finding(
              lostRows.count(),
              counted(lostRows.count(), "block is live", "blocks are live"),
              ByteText.of(lostRows.bytes())));
    }
    return lostRows.count() > 0;
  }

  private static void liveBefore(Lifetimes lifetimes, ActiveBytes active, List<Finding> findings) {
    // What only the allocator's total has is no allocation; the reader has a finding about it.
    int first = lifetimes.unnamedBytes() > 0 ? 1 : 0;
    int end = lifetimes.liveBeforeCount();
    int count = end - first;
    if (count == 0) {
      return;
    }
    Rows withoutStack = Rows.of(lifetimes, first, end, row -> !lifetimes.hasStack(row));
    Rows ended = Rows.of(lifetimes, first, end, row -> lifetimes.endEvent(row) != Lifetimes.NEVER);
    long freed = ended.count();
    String stacks =
        withoutStack.count() == 0
            ? "."
            : String.format(
                Locale.ROOT,
                "; the code that made %s (%s) is unknown, because no stack was recorded.",
                withoutStack.count() == count
                    ? "them"
                    : counted(withoutStack.count(), "of them", "of them"),
                ByteText.of(withoutStack.bytes()));
    findings.add(
        FindingKind.LIVE_BEFORE_RECORDING.finding(
            count,
            ByteText.of(active.baselineBytes() - active.unnamedBytes()),
            counted(count, "allocation was", "allocations were"),
            freed == 0 ? "none was" : counted(freed, "was", "were"),
            stacks));
  }

  private static void timesMissing(Trace trace, List<Finding> findings) {
    long missingCount = 0;
    for (int event = 0; event < trace.size(); event++) {
      if (trace.timeMicros(event) == Trace.NO_TIME) {
        missingCount++;
      }
    }
    if (missingCount > 0) {
      findings.add(
          FindingKind.TIMES_MISSING.finding(
              missingCount,
              missingCount == trace.size()
                  ? "The events have no time."
                  : String.format(
                      Locale.ROOT, "%,d of %,d events have no time.", missingCount, trace.size())));
    }
  }

  private static void stacksMissing(Lifetimes lifetimes, List<Finding> findings) {
    int first = lifetimes.liveBeforeCount();
    Rows all = Rows.of(lifetimes, first, lifetimes.size(), _ -> true);
    Rows missingRows = Rows.of(lifetimes, first, lifetimes.size(), row -> !lifetimes.hasStack(row));
    if (missingRows.count() > 0) {
      findings.add(
          FindingKind.STACKS_MISSING.finding(
              missingRows.count(),
              counted(missingRows.count(), "allocation", "allocations"),
              ByteText.of(missingRows.bytes()),
              ByteText.of(all.bytes())));
    }
  }

  private static void requestsUnknown(Lifetimes lifetimes, List<Finding> findings) {
    Rows unknown =
        Rows.of(
            lifetimes,
            0,
            lifetimes.liveBeforeCount(),
            row -> lifetimes.requestedBytes(row) == Lifetimes.UNKNOWN);
    if (unknown.count() > 0) {
      findings.add(
          FindingKind.REQUESTED_SIZE_UNKNOWN.finding(
              unknown.count(),
              counted(unknown.count(), "block", "blocks"),
              ByteText.of(unknown.bytes())));
    }
  }

  private static String counted(long count, String singular, String plural) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? singular : plural);
  }

  /** Without segments, only the trace shows what is live at the end. */
  private static void segmentsMissing(
      DeviceSnapshot device, ActiveBytes active, List<Finding> findings) {
    if (device.segments().isEmpty() && active.atEnd() > 0 && device.facts().totals().isEmpty()) {
      findings.add(FindingKind.SEGMENTS_MISSING.finding(1, ByteText.of(active.atEnd())));
    }
  }

  private static void reservedUnknown(Trace trace, ActiveBytes active, List<Finding> findings) {
    if (!trace.isEmpty() && !active.isReservedKnown()) {
      findings.add(FindingKind.RESERVED_UNKNOWN.finding(1));
    }
  }
}
