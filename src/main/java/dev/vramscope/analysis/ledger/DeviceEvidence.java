package dev.vramscope.analysis.ledger;

import dev.vramscope.evidence.ProcessUse;
import dev.vramscope.evidence.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is known about a device from outside its recording: a size that the user entered, or texts
 * that {@link EvidenceMatch} found to be about it.
 *
 * @param size the size of the device
 * @param holders who holds its memory, the most reliable first
 */
public record DeviceEvidence(Optional<Size> size, List<Holders> holders) {
  /** Nothing is known. */
  public static final DeviceEvidence NONE = new DeviceEvidence(Optional.empty(), List.of());

  public DeviceEvidence {
    holders = List.copyOf(holders);
  }

  /** A size that is exact, or nothing. */
  public static DeviceEvidence ofSize(OptionalLong bytes) {
    return bytes.isEmpty()
        ? NONE
        : new DeviceEvidence(Optional.of(Size.exact(bytes.getAsLong())), List.of());
  }

  /** This evidence, and where it says nothing, another one. */
  public DeviceEvidence or(DeviceEvidence other) {
    List<Holders> all = new ArrayList<>(holders);
    all.addAll(other.holders);
    return new DeviceEvidence(size.or(other::size), all);
  }

  /** The size as programs see it, unless it is unknown or estimated. */
  public OptionalLong measuredBytes() {
    return size.isPresent() && !size.get().isEstimated()
        ? OptionalLong.of(size.get().bytes())
        : OptionalLong.empty();
  }

  /** Who held memory at an event of the trace; if that is not known, at some other time. */
  Optional<Holders> holdersAt(int event) {
    return holders.stream()
        .filter(each -> each.event() == event)
        .findFirst()
        .or(() -> holders.stream().filter(each -> !each.isAtFailure()).findFirst());
  }

  /**
   * A size of the device.
   *
   * @param bytes the number to show
   * @param leastBytes the lowest that the size may be
   * @param mostBytes the highest that the size may be
   * @param isEstimated whether it is no measurement of what programs can use; it then has no bounds
   * @param source a sentence without its end on the origin of the number; empty if it was entered
   */
  public record Size(
      long bytes, long leastBytes, long mostBytes, boolean isEstimated, String source) {
    static Size exact(long bytes) {
      return new Size(bytes, bytes, bytes, /* isEstimated= */ false, "");
    }

    /** Whether the size may be another number than {@link #bytes}. */
    public boolean isUncertain() {
      return isEstimated || leastBytes != mostBytes;
    }
  }

  /**
   * Who holds the memory of the device.
   *
   * @param event the failure when it was so, or {@link #ANOTHER_TIME}
   * @param free free on the device
   * @param allowed the most that the allocator may reserve, if the program has limited it
   * @param thisProcess used by this process in all, with what its allocator has reserved
   * @param processes other processes; without {@code thisProcess}, it may be among them
   * @param areAll whether all processes are listed
   * @param source the text, to begin a sentence with, such as "The message of the failure"
   */
  public record Holders(
      int event,
      Optional<Quantity> free,
      Optional<Quantity> allowed,
      Optional<Quantity> thisProcess,
      List<ProcessUse> processes,
      boolean areAll,
      String source) {
    static final int ANOTHER_TIME = -1;

    public Holders {
      processes = List.copyOf(processes);
    }

    boolean isAtFailure() {
      return event != ANOTHER_TIME;
    }
  }
}
