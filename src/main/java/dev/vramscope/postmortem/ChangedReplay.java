package dev.vramscope.postmortem;

/**
 * How a recorded run went in a replay with one change.
 *
 * @param change what was different
 * @param passesFailure whether the request that failed in the recording was served
 * @param fits whether no request failed in the whole recording
 * @param peakReservedBytes the most memory that the allocator held
 * @param driverCalls allocations and frees of the driver
 */
public record ChangedReplay(
    Change change, boolean passesFailure, boolean fits, long peakReservedBytes, long driverCalls) {

  /** A change to a run. */
  public sealed interface Change {
    /**
     * Other settings.
     *
     * @param line the whole {@code PYTORCH_CUDA_ALLOC_CONF}
     */
    record Settings(String line) implements Change {}

    /** {@code torch.cuda.empty_cache()} at the start of each step. */
    record EmptyEachStep() implements Change {}

    /** The failed step is tried again with an empty cache. */
    record EmptyBeforeRetry() implements Change {}
  }
}
