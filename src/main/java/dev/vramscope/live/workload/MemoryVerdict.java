package dev.vramscope.live.workload;

/** Whether the memory of a recorded job fits the device, with this allocator and its settings. */
public sealed interface MemoryVerdict {
  /**
   * Every request succeeded.
   *
   * @param eventCount events of the trace
   * @param initialBlockCount blocks that were allocated before its first event
   * @param peakAllocatedBytes the peak of the allocator, over all its clients
   * @param peakReservedBytes the peak of the allocator, over all its clients
   */
  record Fits(
      int eventCount, int initialBlockCount, long peakAllocatedBytes, long peakReservedBytes)
      implements MemoryVerdict {}

  /**
   * A request failed.
   *
   * @param event the event of the trace, from 0, or {@link #BEFORE_FIRST_EVENT}
   * @param eventCount events of the trace
   * @param stream the trace's number of the stream
   */
  record DoesNotFit(int event, int eventCount, long requestedBytes, long stream)
      implements MemoryVerdict {
    /** The event number of a block that was allocated before the first event. */
    public static final int BEFORE_FIRST_EVENT = -1;
  }
}
