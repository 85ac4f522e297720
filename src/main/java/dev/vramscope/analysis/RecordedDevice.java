package dev.vramscope.analysis;

import dev.vramscope.analysis.Ledger.Amount;
import dev.vramscope.analysis.Ledger.DeviceMemory;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.OomEvent;
import dev.vramscope.model.Segment;
import dev.vramscope.model.SizeRules;
import dev.vramscope.model.Trace;
import dev.vramscope.model.TraceAction;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * The size and the free memory of a device, as far as a recording contains them.
 *
 * <p>The size is that of the facts of a hosted allocator, or the one that the user entered.
 * Otherwise the recording gives a lower bound: what was reserved and free when a request failed, or
 * the peak of the reserved bytes.
 */
public final class RecordedDevice {
  private final DeviceSnapshot device;
  private final ActiveBytes active;
  private final Amount total;

  /**
   * The facts of a recording.
   *
   * @param enteredBytes the size that the user entered; ignored if the recording contains it
   */
  public RecordedDevice(DeviceSnapshot device, ActiveBytes active, OptionalLong enteredBytes) {
    this.device = device;
    this.active = active;
    OptionalLong recorded = device.facts().deviceBytes();
    OptionalLong known = recorded.isPresent() ? recorded : enteredBytes;
    Bound least = lowerBound();
    if (known.isPresent()) {
      total = new Amount.Known(known.getAsLong());
    } else if (least.bytes() == 0) {
      total = new Amount.Unknown(DeviceMemory.TOTAL_UNKNOWN);
    } else {
      total =
          new Amount.AtLeast(
              least.bytes(), least.reason() + "; a snapshot does not contain the size");
    }
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
    long bytes = reservedAtEnd();
    String reason = "The most that the allocator held at one time";
    if (active.isReservedKnown()) {
      bytes = Math.max(bytes, active.peakReservedBytes());
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
    return hasSegmentEventAfter(oom.event()) ? 0 : reservedAtEnd();
  }

  /** The device's memory when a request failed. */
  public DeviceMemory atFailure(OomEvent oom) {
    return memory(
        oom.deviceFreeBytes() == OomEvent.UNKNOWN
            ? new Amount.Unknown("The recording does not contain it")
            : new Amount.Known(oom.deviceFreeBytes()),
        oom.deviceFreeBytes() == OomEvent.UNKNOWN
            ? ""
            : "Free according to the driver when the request failed");
  }

  /** The device's memory after an event other than a failure: its free memory is not recorded. */
  public DeviceMemory at(int event) {
    return event == device.trace().size() - 1
        ? atEnd()
        : memory(new Amount.Unknown(DeviceMemory.FREE_UNKNOWN), "");
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
          new Amount.Known(free), "Free according to the driver when the snapshot was taken");
    }
    List<OomEvent> ooms = device.trace().ooms();
    if (ooms.isEmpty() || ooms.getLast().deviceFreeBytes() == OomEvent.UNKNOWN) {
      return memory(new Amount.Unknown(DeviceMemory.FREE_UNKNOWN), "");
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
            + " failed; the allocator has neither acquired nor released memory since");
  }

  private DeviceMemory memory(Amount free, String freeSource) {
    return new DeviceMemory(
        total,
        free,
        freeSource,
        new Amount.Unknown(DeviceMemory.OUTSIDE_UNKNOWN),
        device.facts().isSimulated()
            ? "The simulated device rounds its allocations up, as the driver does"
            : "",
        // A simulated device belongs to one allocator.
        device.facts().isSimulated()
            ? new Amount.Known(0)
            : new Amount.Unknown(DeviceMemory.OTHERS_UNKNOWN));
  }

  private boolean hasSegmentEventAfter(int event) {
    Trace trace = device.trace();
    for (int later = event + 1; later < trace.size(); later++) {
      TraceAction action = trace.action(later);
      switch (action) {
        case SEGMENT_ALLOC, SEGMENT_FREE, SEGMENT_MAP, SEGMENT_UNMAP -> {
          return true;
        }
        default -> {
          // Does not change the memory that the allocator holds.
        }
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
