package dev.vramscope.postmortem;

/**
 * How a recorded run went in a replay with one change.
 *
 * @param change what was different
 * @param passesFailure whether the request that failed in the recording was served
 * @param rest whether the rest of the step would have been served, too
 * @param fits whether no request failed in the whole recording
 * @param peakReservedBytes the most memory that the allocator held
 * @param driverCalls allocations and frees of the driver
 */
public record ChangedReplay(
    Change change,
    boolean passesFailure,
    Rest rest,
    boolean fits,
    long peakReservedBytes,
    long driverCalls) {

  /** What a replay says of the rest of a step that an earlier step of the same loop shows. */
  public sealed interface Rest {
    /** It is served. */
    record Served(boolean isEstimated) implements Rest {}

    /**
     * A request of it fails.
     *
     * @param likeEvent the event of the earlier step that is the same request
     * @param bytes of the request
     */
    record Fails(int likeEvent, long bytes) implements Rest {}

    /** No earlier step shows it, or the failed request itself was not served. */
    record Unknown() implements Rest {}
  }

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
