package dev.vramscope.web.whatif;

import dev.vramscope.web.display.ConstantNames;
import dev.vramscope.whatif.Fidelity;
import java.util.List;

/**
 * How exactly a replay under the recorded settings reproduces the recording: the ground on which
 * all rows stand.
 *
 * @param segmentEvents segments and pages acquired and released
 * @param reproducedSegmentEvents of these, the ones that are equal in order, size and address
 * @param placements blocks allocated in the recording
 * @param reproducedPlacements of these, the ones at their recorded address
 * @param start whole-run, or reconstructed if the recording began in mid-run
 * @param equalBlocks which of several equal free blocks is used first: segment-age, the one in the
 *     oldest segment, or address, the lowest
 * @param exact whether the replay is equal to the recording in all of it
 * @param notes what was inferred, ambiguous or contradictory
 */
record FidelityView(
    int segmentEvents,
    int reproducedSegmentEvents,
    int placements,
    int reproducedPlacements,
    String start,
    String equalBlocks,
    boolean exact,
    List<String> notes) {
  static FidelityView of(Fidelity fidelity) {
    return new FidelityView(
        fidelity.segmentEvents(),
        fidelity.reproducedSegmentEvents(),
        fidelity.placements(),
        fidelity.reproducedPlacements(),
        ConstantNames.of(fidelity.start()),
        ConstantNames.of(fidelity.tieBreak()),
        fidelity.isExact(),
        fidelity.notes());
  }
}
