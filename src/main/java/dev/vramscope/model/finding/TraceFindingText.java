package dev.vramscope.model.finding;

/**
 * The texts of findings about contradictions in a trace, or between a trace and the final state.
 */
final class TraceFindingText {
  static final String ALLOCATED_WHILE_LIVE =
      "Allocations at an address whose previous allocation had not been freed: %,d; the previous"
          + " allocation is assumed to end there.";
  static final String FREE_WITHOUT_ALLOCATION =
      "Frees of an address without a live allocation, which cannot have been allocated before the"
          + " recording: %,d; they are ignored.";
  static final String FREED_TWICE = "Repeated frees of an allocation: %,d; they are ignored.";
  static final String COMPLETION_MISSING =
      "Requested frees without a completed one, although their memory was reused, or is free at the"
          + " end: %,d; they are assumed to have completed immediately.";
  static final String FREE_NEVER_REQUESTED =
      "Completed frees that were never requested: %,d; the time of the client's free is unknown.";
  static final String ACTIVE_THOUGH_FREED =
      "Blocks that are active in the final state although they are freed in the trace: %,d; the"
          + " timeline ends below the final state by their size.";
  static final String MISSING_IN_FINAL_STATE =
      "Allocations that are not freed in the trace and not active in the final state: %,d; the"
          + " timeline ends above the final state by their size.";
  static final String BLOCK_WITHOUT_EVENTS =
      "Active blocks without events in segments that were acquired during the recording: %,d; they"
          + " are counted as live before the recording.";
  static final String SIZE_DIFFERS =
      "Blocks whose requested size in the final state differs from that in the trace: %,d; the size"
          + " in the trace is used.";
  static final String SEGMENT_EVENT_MISMATCH =
      "Segment events that do not match the segments, found when reconstructing the state after"
          + " event %d: %,d. This state is approximate.";
  static final String BLOCK_OUTSIDE_SEGMENT =
      "Allocations outside every segment, found when reconstructing the state after event %d: %,d."
          + " This state is approximate.";
  static final String BLOCK_OVERLAP =
      "Allocations that overlap the next one, found when reconstructing the state after event %d:"
          + " %,d. This state is approximate.";

  private TraceFindingText() {}
}
