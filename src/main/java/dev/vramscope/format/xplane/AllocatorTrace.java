package dev.vramscope.format.xplane;

import dev.vramscope.format.UnaddressedBlocks;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.AllocatorFacts.RecordedTotals;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The events of one allocator, of all threads, until they become a trace in the order of time. The
 * bytes of the trace are those of the chunks, because the allocator's own totals count these.
 *
 * <p>Events of before 2021 have no addresses. There each allocation gets a number of its own, and a
 * free is that of the oldest live chunk of its size: sums are right, lifetimes are guesses.
 */
final class AllocatorTrace {
  private final String name;
  private final List<AllocatorEvent> events = new ArrayList<>();
  private final UnaddressedBlocks unaddressed = new UnaddressedBlocks();
  private boolean isAddressed = true;

  /** The allocator's own totals: before the first event, and how often they differ from the sum. */
  private long beforeBytes = AllocatorEvent.NONE;

  private long changeBytes;
  private long withTotals;
  private long differing;
  private long greatestDifference;

  /** Of the chunks whose requests are known: what the program requested of them at their peak. */
  private final Map<Long, AllocatorEvent> live = new HashMap<>();

  private long requestedBytes;
  private long chunkBytes;
  private long peakRequestedBytes;
  private long peakChunkBytes;

  AllocatorTrace(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  void add(AllocatorEvent event) {
    events.add(event);
  }

  /**
   * The trace.
   *
   * @param number of the device
   * @param findings gets what the totals beside the events say
   */
  DeviceSnapshot device(int number, List<Finding> findings) {
    events.sort(Comparator.comparingLong(AllocatorEvent::nanos));
    Trace.Builder trace = new Trace.Builder();
    for (AllocatorEvent event : events) {
      long address = event.address() == 0 ? number(event) : event.address();
      int row =
          trace.add(
              event.isFree() ? TraceAction.FREE_REQUESTED : TraceAction.ALLOC,
              address,
              event.chunkBytes());
      trace.timeMicros(row, event.nanos() / 1000);
      if (event.stack() != StackTable.NONE) {
        trace.stack(row, event.stack());
      }
      compareTotal(event);
      countRequested(address, event);
    }
    addFindings(number, findings);
    return new DeviceSnapshot(
        number,
        List.of(),
        trace.build(),
        List.of(),
        new AllocatorFacts(
            AllocatorFamily.UNRECORDED,
            OptionalLong.empty(),
            OptionalLong.empty(),
            limit(),
            /* isSimulated= */ false,
            Optional.empty(),
            beforeBytes < 0
                ? Optional.empty()
                : Optional.of(new RecordedTotals(beforeBytes, List.of())),
            Optional.empty()));
  }

  private long number(AllocatorEvent event) {
    isAddressed = false;
    return event.isFree()
        ? unaddressed.freeOrUnused(event.chunkBytes())
        : unaddressed.allocate(event.chunkBytes());
  }

  private void compareTotal(AllocatorEvent event) {
    changeBytes += event.isFree() ? -event.chunkBytes() : event.chunkBytes();
    if (event.inUseBytes() < 0) {
      return;
    }
    if (withTotals++ == 0) {
      beforeBytes = Math.max(0, event.inUseBytes() - changeBytes);
    }
    long difference = Math.abs(event.inUseBytes() - (beforeBytes + changeBytes));
    differing += difference == 0 ? 0 : 1;
    greatestDifference = Math.max(greatestDifference, difference);
  }

  private void countRequested(long address, AllocatorEvent event) {
    AllocatorEvent ended = event.isFree() ? live.remove(address) : live.put(address, event);
    if (ended != null) {
      chunkBytes -= ended.chunkBytes();
      requestedBytes -= Math.max(0, ended.requestedBytes());
    }
    if (!event.isFree()) {
      chunkBytes += event.chunkBytes();
      requestedBytes += Math.max(0, event.requestedBytes());
      if (chunkBytes > peakChunkBytes) {
        peakChunkBytes = chunkBytes;
        peakRequestedBytes = requestedBytes;
      }
    }
  }

  private void addFindings(int number, List<Finding> findings) {
    if (beforeBytes > 0) {
      findings.add(FindingKind.BFC_EVENTS_BEFORE.finding(1, number, beforeBytes));
    }
    if (differing > 0) {
      findings.add(
          FindingKind.BFC_EVENTS_DIFFER.finding(
              differing,
              number,
              String.format(
                  Locale.ROOT,
                  "after %,d of %,d events, the allocator’s own total differs from the sum of the"
                      + " events, by up to %,d bytes: events are missing. The numbers here are the"
                      + " sums",
                  differing,
                  withTotals,
                  greatestDifference)));
    }
    if (!isAddressed) {
      findings.add(
          FindingKind.BFC_EVENTS_DIFFER.finding(
              1,
              number,
              "the events have no addresses, as those of before 2021; a free is taken for that of"
                  + " the oldest chunk of its size, so lifetimes may be wrong; sums are right"));
    }
    if (peakRequestedBytes > 0 && peakRequestedBytes < peakChunkBytes) {
      findings.add(
          FindingKind.CHUNKS_BEYOND_REQUESTS.finding(
              1,
              ByteText.of(peakChunkBytes),
              ByteText.of(peakRequestedBytes),
              ByteText.of(peakChunkBytes - peakRequestedBytes)));
    }
  }

  /** The limit, if all events have the same. */
  private OptionalLong limit() {
    long limit = events.getFirst().limitBytes();
    boolean isSame = events.stream().allMatch(event -> event.limitBytes() == limit);
    return isSame && limit > 0 ? OptionalLong.of(limit) : OptionalLong.empty();
  }
}
