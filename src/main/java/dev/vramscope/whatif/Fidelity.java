package dev.vramscope.whatif;

import dev.vramscope.allocator.caching.blocks.TieBreak;
import dev.vramscope.analysis.lifetimes.Lifetimes;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Snapshot;
import java.util.List;

/**
 * How exactly a replay under the recorded settings reproduces a recording. It is the ground on
 * which replays under other settings stand.
 *
 * @param segmentEvents segments and pages acquired and released, in the recording or only in the
 *     replay
 * @param reproducedSegmentEvents of these, the ones that are equal in order, size and address
 * @param placements blocks allocated in the recording, and failed requests that the replay served
 * @param reproducedPlacements of these, the ones at their recorded address
 * @param start how the replay began
 * @param tieBreak which of several equal free blocks the recorded allocator uses first
 * @param notes what was inferred, ambiguous or contradictory; for a page
 */
public record Fidelity(
    int segmentEvents,
    int reproducedSegmentEvents,
    int placements,
    int reproducedPlacements,
    Start start,
    TieBreak tieBreak,
    List<String> notes) {
  /** How the replay began. */
  public enum Start {
    /** Without memory: the recording contains the whole run. */
    WHOLE_RUN,
    /** In a state that was reconstructed from the final one: the recording began in mid-run. */
    RECONSTRUCTED
  }

  public Fidelity {
    notes = List.copyOf(notes);
  }

  /** Whether anything was compared, and the replay is equal to the recording in all of it. */
  public boolean isExact() {
    return segmentEvents + placements > 0
        && segmentEvents == reproducedSegmentEvents
        && placements == reproducedPlacements;
  }

  /**
   * Whether a replay of the whole run under some settings is exact, too. Where the lowest address
   * decides between equal blocks, it also depends on the addresses that the driver would have given
   * to other segments; only expandable segments do without.
   */
  public boolean isExactFor(Variant variant) {
    return isExact()
        && start == Start.WHOLE_RUN
        && (!isOfAddresses()
            || !(variant instanceof Variant.Caching caching)
            || caching.isExpandable());
  }

  /** Whether the replay continues a recording that began in mid-run, and equals it. */
  public boolean isContinued() {
    return isExact() && start == Start.RECONSTRUCTED;
  }

  /** Whether the addresses that the driver assigns decide which block serves a request. */
  public boolean isOfAddresses() {
    return tieBreak == TieBreak.ADDRESS;
  }

  boolean isCloserThan(Fidelity other) {
    int own = reproducedSegmentEvents + reproducedPlacements - segmentEvents - placements;
    return own
        > other.reproducedSegmentEvents
            + other.reproducedPlacements
            - other.segmentEvents
            - other.placements;
  }

  /**
   * Replays the recording of one device under its own settings.
   *
   * @throws ReplayLimitException if it is too large to be replayed
   */
  public static Fidelity of(Snapshot snapshot, DeviceSnapshot device, Lifetimes lifetimes) {
    return Reproduction.of(snapshot, device, lifetimes).fidelity();
  }
}
