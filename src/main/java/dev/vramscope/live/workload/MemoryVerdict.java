package dev.vramscope.live.workload;

/** Does a recorded job's memory fit this card with these settings? */
public sealed interface MemoryVerdict {
  /**
   * Every request was served.
   *
   * @param eventCount events of the trace
   * @param blocksBefore blocks that were alive before its first event
   * @param peakAllocatedBytes the allocator's peak, of all its clients
   * @param peakReservedBytes the allocator's peak, of all its clients
   */
  record Fits(int eventCount, int blocksBefore, long peakAllocatedBytes, long peakReservedBytes)
      implements MemoryVerdict {}

  /**
   * A request failed.
   *
   * @param event the trace's event, from 0, or {@link #BEFORE_THE_TRACE}
   * @param eventCount events of the trace
   * @param stream the trace's number for the stream
   */
  record DoesNotFit(int event, int eventCount, long requestedBytes, long stream)
      implements MemoryVerdict {
    /** The event number of a block that was alive before the trace's first event. */
    public static final int BEFORE_THE_TRACE = -1;
  }
}
