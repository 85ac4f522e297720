package dev.vramscope.web;

import dev.vramscope.analysis.ActiveBytes;
import dev.vramscope.analysis.AllocatorState;
import dev.vramscope.analysis.Fragmentation;
import dev.vramscope.analysis.FrameRules;
import dev.vramscope.analysis.HighWaterMark;
import dev.vramscope.analysis.Honesty;
import dev.vramscope.analysis.Ledger;
import dev.vramscope.analysis.Lifetimes;
import dev.vramscope.analysis.MemorySummary;
import dev.vramscope.analysis.Sites;
import dev.vramscope.analysis.SizeRules;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.postmortem.OomReport;
import java.util.List;
import java.util.OptionalLong;

/** One device of an open snapshot, with its analyses; each is made once, when first asked for. */
final class OpenDevice {
  private static final int HOLDERS = 50;
  // Heap of a row of lifetimes (60) and of active bytes (20), and of a block and a segment record.
  private static final long EVENT_HEAP_BYTES = 80;
  private static final long BLOCK_HEAP_BYTES = 80;

  private final Snapshot snapshot;
  private final DeviceSnapshot device;
  private final SizeRules sizes;
  private final Memo<Lifetimes> lifetimes;
  private final Memo<ActiveBytes> active;
  private final Memo<HighWaterMark> highWaterMark;
  private final Memo<AllocatorState> state;
  private final Memo<Fragmentation> fragmentation;
  private final Memo<MemorySummary> summary;
  private final Memo<Sites> sites;
  private final Memo<Honesty> honesty;

  OpenDevice(Snapshot snapshot, DeviceSnapshot device, FrameRules rules) {
    this.snapshot = snapshot;
    this.device = device;
    sizes = SizeRules.of(snapshot.settings());
    lifetimes = new Memo<>(() -> Lifetimes.of(device));
    active = new Memo<>(() -> ActiveBytes.of(device, lifetimes()));
    highWaterMark = new Memo<>(() -> HighWaterMark.of(lifetimes(), active(), HOLDERS));
    state = new Memo<>(() -> AllocatorState.end(device));
    fragmentation =
        new Memo<>(() -> Fragmentation.of(endState(), lifetimes(), active(), sizes));
    summary = new Memo<>(() -> MemorySummary.of(device, lifetimes(), active(), sizes));
    sites = new Memo<>(() -> Sites.of(lifetimes(), active(), snapshot.stacks(), rules));
    honesty = new Memo<>(() -> Honesty.of(snapshot, device, lifetimes(), active()));
  }

  int ordinal() {
    return device.ordinal();
  }

  DeviceSnapshot device() {
    return device;
  }

  Lifetimes lifetimes() {
    return lifetimes.get();
  }

  ActiveBytes active() {
    return active.get();
  }

  HighWaterMark highWaterMark() {
    return highWaterMark.get();
  }

  AllocatorState endState() {
    return state.get();
  }

  Fragmentation fragmentation() {
    return fragmentation.get();
  }

  MemorySummary summary() {
    return summary.get();
  }

  Sites sites() {
    return sites.get();
  }

  Honesty honesty() {
    return honesty.get();
  }

  /** Where every byte is at the end; {@code totalBytes} is the card's size, when somebody said it. */
  Ledger ledger(OptionalLong totalBytes) {
    return Ledger.of(
        endState(),
        new Ledger.Surroundings(
            totalBytes, OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty()));
  }

  List<OomEvent> ooms() {
    return device.trace().ooms();
  }

  /** The post-mortem of the failed request number {@code index} of {@link #ooms()}. */
  OomReport report(int index, OptionalLong totalBytes) {
    return OomReport.of(snapshot, device, lifetimes(), ooms().get(index), totalBytes);
  }

  /** Whether a request would fit in the final state. */
  OomReport report(OomReport.Supposed request, OptionalLong totalBytes) {
    return OomReport.of(snapshot, device, lifetimes(), request, totalBytes);
  }

  long reservedBytes() {
    return device.segments().stream().mapToLong(Segment::bytes).sum();
  }

  long allocatedBytes() {
    return device.segments().stream().mapToLong(Segment::allocatedBytes).sum();
  }

  long pendingFreeBytes() {
    return device.segments().stream().mapToLong(Segment::pendingFreeBytes).sum();
  }

  long activeBytes() {
    return allocatedBytes() + pendingFreeBytes();
  }

  long blockCount() {
    return device.segments().stream().mapToLong(segment -> segment.blocks().size()).sum();
  }

  /** Rough heap bytes, the analyses included whether or not they are made yet. */
  long heapBytes() {
    return device.trace().heapBytes()
        + device.trace().size() * EVENT_HEAP_BYTES
        + (blockCount() + device.segments().size()) * BLOCK_HEAP_BYTES;
  }
}
