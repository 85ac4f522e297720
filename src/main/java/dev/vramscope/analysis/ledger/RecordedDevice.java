package dev.vramscope.analysis.ledger;

import dev.vramscope.analysis.ledger.DeviceEvidence.Holders;
import dev.vramscope.analysis.ledger.DeviceEvidence.Size;
import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.ledger.Ledger.DeviceMemory;
import dev.vramscope.analysis.ledger.Ledger.Doubt;
import dev.vramscope.analysis.ledger.Ledger.LiveMemory;
import dev.vramscope.analysis.lifetimes.ActiveBytes;
import dev.vramscope.evidence.Quantity;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Trace;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The size and the free memory of a device, as far as a recording contains them.
 *
 * <p>The size is that of the facts of a hosted allocator, or else that of the evidence. Otherwise
 * the recording gives a lower bound: what was reserved and free when a request failed, or the peak
 * of the reserved bytes.
 */
public final class RecordedDevice {
  private static final String MOST_HELD = "The most that the allocator held at one time";

  private final DeviceSnapshot device;
  private final ActiveBytes active;
  private final DeviceEvidence evidence;
  private final Amount total;

  /**
   * The facts of a recording.
   *
   * @param evidence what else is known; the facts of the recording come before it
   */
  public RecordedDevice(DeviceSnapshot device, ActiveBytes active, DeviceEvidence evidence) {
    this.device = device;
    this.active = active;
    boolean isRecorded = device.facts().deviceBytes().isPresent();
    this.evidence =
        isRecorded ? new DeviceEvidence(Optional.empty(), evidence.holders()) : evidence;
    total = total();
  }

  /**
   * The facts of a recording.
   *
   * @param enteredBytes the size that the user entered; ignored if the recording contains it
   */
  public RecordedDevice(DeviceSnapshot device, ActiveBytes active, OptionalLong enteredBytes) {
    this(device, active, DeviceEvidence.ofSize(enteredBytes));
  }

  private Amount total() {
    OptionalLong recorded = device.facts().deviceBytes();
    if (recorded.isPresent()) {
      return new Amount.Known(recorded.getAsLong());
    }
    if (evidence.size().isPresent()) {
      return new Amount.Known(evidence.size().get().bytes());
    }
    Bound least = lowerBound();
    return least.bytes() == 0
        ? new Amount.Unknown(DeviceMemory.TOTAL_UNKNOWN)
        : new Amount.AtLeast(
            least.bytes(), least.reason() + "; a snapshot does not contain the size");
  }

  /**
   * A lower bound of the size of the device.
   *
   * @param bytes 0 if the recording gives none
   * @param reason the origin of the bound, to show on a page
   */
  public record Bound(long bytes, String reason) {}

  /** The greatest lower bound of the size of the device that the recording gives. */
  public Bound lowerBound() {
    if (!device.kind().hasSegments()) {
      return active.isReservedKnown()
          ? new Bound(active.peakReservedBytes(), MOST_HELD)
          : new Bound(0, "");
    }
    long bytes = reservedAtEnd();
    String reason = MOST_HELD;
    if (active.isReservedKnown()) {
      bytes = Math.max(bytes, active.peakReservedBytes());
    } else if (active.peakBytes() > bytes) {
      bytes = active.peakBytes();
      reason = "The most that was live at one time";
    }
    for (OomEvent oom : device.trace().ooms()) {
      if (oom.deviceFreeBytes() != OomEvent.UNKNOWN) {
        long then = reservedAt(oom) + oom.deviceFreeBytes();
        if (then > bytes) {
          bytes = then;
          reason = "Reserved and free when the request at event " + number(oom) + " failed";
        }
      }
    }
    return new Bound(bytes, reason);
  }

  /**
   * Reserved bytes that the allocator did not reach although the device had room: the least sum of
   * reserved memory and the segment that a failed request needed. A memory limit is below it.
   *
   * @return empty if no such request failed
   */
  public OptionalLong refusedReservedBytes(SizeRules sizes) {
    long least = Long.MAX_VALUE;
    for (OomEvent oom : device.trace().ooms()) {
      long segment = sizes.segmentBytes(sizes.roundedBytes(oom.requestedBytes()));
      if (active.isReservedKnown()
          && oom.deviceFreeBytes() != OomEvent.UNKNOWN
          && oom.deviceFreeBytes() >= segment) {
        least = Math.min(least, active.reservedAt(oom.event()) + segment);
      }
    }
    return least == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(least);
  }

  /** The reserved bytes when a request failed, as far as they are known. */
  private long reservedAt(OomEvent oom) {
    if (active.isReservedKnown()) {
      return active.reservedAt(oom.event());
    }
    // What is live is reserved, too.
    return Math.max(
        active.at(oom.event()), hasSegmentEventAfter(oom.event()) ? 0 : reservedAtEnd());
  }

  /** What is live at the end, according to the events. */
  public LiveMemory liveAtEnd() {
    return LiveMemory.at(active, active.eventCount() - 1);
  }

  /** The device's memory when a request failed. */
  public DeviceMemory atFailure(OomEvent oom) {
    if (oom.deviceFreeBytes() != OomEvent.UNKNOWN) {
      return memory(
          new Amount.Known(oom.deviceFreeBytes()),
          "Free according to the driver when the request failed",
          oom.event(),
          reservedAt(oom));
    }
    Optional<Holders> holders = evidence.holdersAt(oom.event()).filter(Holders::isAtFailure);
    Optional<Quantity> free = holders.flatMap(Holders::free);
    if (holders.isEmpty() || free.isEmpty()) {
      return memory(new Amount.Unknown("The recording does not contain it"), "");
    }
    DeviceMemory filled =
        memory(
            new Amount.Known(free.get().bytes()),
            holders.get().source() + " has it, rounded",
            oom.event(),
            reservedAt(oom));
    return doubtful(
        filled,
        List.of(new RecordedDevice(device, active, DeviceEvidence.NONE).atFailure(oom)),
        "The recording does not contain the free memory of the device. That of the message is"
            + " rounded.");
  }

  /** The device's memory after an event other than a failure: its free memory is not recorded. */
  public DeviceMemory at(int event) {
    return event == device.trace().size() - 1 ? atEnd() : memory(freeUnknown(), "");
  }

  private Amount freeUnknown() {
    return new Amount.Unknown(
        device.facts().family().isCaching()
            ? DeviceMemory.FREE_UNKNOWN
            : "The file does not contain it");
  }

  /**
   * The device's memory at the end. Without facts, its free memory is that of the last failed
   * request, unless the allocator has acquired or released memory since.
   */
  public DeviceMemory atEnd() {
    AllocatorFacts facts = device.facts();
    if (facts.deviceFreeBytes().isPresent()) {
      long unreserved = facts.deviceBytes().orElse(Long.MAX_VALUE) - reservedAtEnd();
      long free = Math.min(facts.deviceFreeBytes().getAsLong(), Math.max(0, unreserved));
      return memory(
          new Amount.Known(free),
          "Free according to the driver when the snapshot was taken",
          Holders.ANOTHER_TIME,
          reservedAtEnd());
    }
    List<OomEvent> ooms = device.trace().ooms();
    if (ooms.isEmpty() || ooms.getLast().deviceFreeBytes() == OomEvent.UNKNOWN) {
      return memory(freeUnknown(), "");
    }
    OomEvent last = ooms.getLast();
    if (hasSegmentEventAfter(last.event())) {
      return memory(
          new Amount.Unknown(
              ByteText.of(last.deviceFreeBytes())
                  + " was free when the request at event "
                  + number(last)
                  + " failed; the allocator has acquired or released memory since"),
          "");
    }
    return memory(
        new Amount.Known(last.deviceFreeBytes()),
        "Free when the request at event "
            + number(last)
            + " failed; the allocator has neither acquired nor released memory since",
        last.event(),
        reservedAtEnd());
  }

  private DeviceMemory memory(Amount free, String freeSource) {
    return memory(free, freeSource, OutsideMemory.UNKNOWN, OptionalLong.empty());
  }

  /** The memory at a moment whose free memory is known, with who holds the rest. */
  private DeviceMemory memory(Amount.Known free, String freeSource, int event, long reserved) {
    // What this process holds outside is what remains of it beside the reserved memory.
    OutsideMemory outside =
        knownSize()
            .filter(_ -> device.kind().hasSegments())
            .flatMap(
                size ->
                    evidence
                        .holdersAt(event)
                        .map(holders -> OutsideMemory.of(holders, size, reserved, free.bytes())))
            .orElse(OutsideMemory.UNKNOWN);
    OptionalLong limit =
        evidence
            .holdersAt(event)
            .flatMap(Holders::allowed)
            .map(allowed -> OptionalLong.of(allowed.bytes()))
            .orElse(OptionalLong.empty());
    return memory(free, freeSource, outside, limit);
  }

  private DeviceMemory memory(
      Amount free, String freeSource, OutsideMemory outside, OptionalLong limit) {
    boolean isSimulated = device.facts().isSimulated();
    DeviceMemory memory =
        new DeviceMemory(
            total,
            free,
            freeSource,
            DeviceMemory.amount(outside.thisProcessBytes(), DeviceMemory.OUTSIDE_UNKNOWN),
            isSimulated
                ? "The simulated device rounds its allocations up, as the driver does"
                : outside.thisProcessSource(),
            // A simulated device belongs to one allocator.
            isSimulated
                ? new Amount.Known(0)
                : DeviceMemory.amount(outside.otherBytes(), DeviceMemory.OTHERS_UNKNOWN),
            evidence.size().map(Size::source).orElse(""),
            isSimulated ? "" : outside.othersSource(),
            limit,
            Doubt.NONE);
    return evidence
        .size()
        .filter(Size::isUncertain)
        .map(size -> doubtful(memory, alternatives(memory, size), size.source() + "."))
        .orElse(memory);
  }

  private Optional<Size> knownSize() {
    OptionalLong recorded = device.facts().deviceBytes();
    return recorded.isPresent() ? Optional.of(Size.exact(recorded.getAsLong())) : evidence.size();
  }

  /** An estimated size may be any; a rounded one has bounds. */
  private List<DeviceMemory> alternatives(DeviceMemory memory, Size size) {
    long least = lowerBound().bytes();
    return size.isEstimated()
        ? List.of(withTotal(memory, new RecordedDevice(device, active, DeviceEvidence.NONE).total))
        : List.of(
            withTotal(memory, new Amount.Known(Math.max(least, size.leastBytes()))),
            withTotal(memory, new Amount.Known(Math.max(least, size.mostBytes()))));
  }

  private static DeviceMemory withTotal(DeviceMemory memory, Amount total) {
    return new DeviceMemory(
        total,
        memory.free(),
        memory.freeSource(),
        new Amount.Unknown(DeviceMemory.OUTSIDE_UNKNOWN),
        "",
        new Amount.Unknown(DeviceMemory.OTHERS_UNKNOWN),
        "",
        "",
        memory.limitBytes(),
        Doubt.NONE);
  }

  private DeviceMemory doubtful(
      DeviceMemory memory, List<DeviceMemory> alternatives, String reason) {
    return new DeviceMemory(
        memory.total(),
        memory.free(),
        memory.freeSource(),
        memory.outside(),
        memory.outsideSource(),
        memory.otherProcesses(),
        memory.totalSource(),
        memory.othersSource(),
        memory.limitBytes(),
        new Doubt(alternatives, reason, evidence.size().map(Size::isEstimated).orElse(false)));
  }

  private boolean hasSegmentEventAfter(int event) {
    Trace trace = device.trace();
    for (int later = event + 1; later < trace.size(); later++) {
      if (trace.action(later).isOfSegment()) {
        return true;
      }
    }
    return false;
  }

  private long reservedAtEnd() {
    return device.segments().stream().mapToLong(Segment::bytes).sum();
  }

  private static String number(OomEvent oom) {
    return String.format(Locale.ROOT, "%,d", oom.event());
  }
}
