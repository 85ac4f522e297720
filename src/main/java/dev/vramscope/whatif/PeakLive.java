package dev.vramscope.whatif;

import dev.vramscope.analysis.lifetimes.Lifetimes;

/**
 * The memory that a run needs under any allocator that does not move blocks, if all are packed
 * without a gap: the peak of the requested bytes, of blocks in use and of frees that another stream
 * has not finished with, and of the requests that failed.
 *
 * @param bytes requested
 * @param event the first event with this many bytes, or that before the recording
 */
public record PeakLive(long bytes, int event) {
  /** Finds the peak. */
  static PeakLive of(RecordedRun run) {
    long[] bytesOfSlot = new long[run.slotCount()];
    long[] bytesOfStream = new long[run.streamCount()];
    long live = 0;
    PeakLive peak = new PeakLive(0, Lifetimes.BEFORE_RECORDING);
    for (int i = 0; i < run.operations(); i++) {
      int slot = run.slot(i);
      long needed = live;
      switch (run.kind(i)) {
        case RecordedRun.ALLOCATE -> {
          bytesOfSlot[slot] = run.bytes(i);
          live += run.bytes(i);
          needed = live;
        }
        case RecordedRun.FREE -> live -= bytesOfSlot[slot];
        case RecordedRun.FREE_PENDING -> bytesOfStream[run.stream(i)] += bytesOfSlot[slot];
        case RecordedRun.COMPLETE -> {
          live -= bytesOfStream[run.stream(i)];
          bytesOfStream[run.stream(i)] = 0;
        }
        case RecordedRun.FAIL, RecordedRun.FAIL_IN_CAPTURE -> needed = live + run.bytes(i);
        default -> {
          // Changes no block.
        }
      }
      if (needed > peak.bytes) {
        peak = new PeakLive(needed, run.event(i));
      }
    }
    return peak;
  }
}
