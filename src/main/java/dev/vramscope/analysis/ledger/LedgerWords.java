package dev.vramscope.analysis.ledger;

import dev.vramscope.analysis.ledger.Ledger.Item;
import dev.vramscope.model.AllocatorFamily;

/** The texts of a ledger's rows, in the words of the allocator. */
public final class LedgerWords {
  private LedgerWords() {}

  public static String label(Item item, AllocatorFamily family) {
    return switch (item) {
      case LIVE_REQUESTED -> "Requested by the program";
      case ROUNDING -> "Rounding";
      case LIVE_REQUEST_UNKNOWN -> "Allocated, including rounding";
      case LIVE_EARLIER -> "Allocated before the recording";
      case PENDING_FREE -> "Pending free";
      case CACHED_RELEASABLE ->
          family == AllocatorFamily.BFC ? "Free regions" : "Cached, releasable";
      case CACHED_PRIVATE_POOL -> "Cached, private pool";
      case UNRELEASABLE -> family == AllocatorFamily.BFC ? "Free chunks" : "Cached, not releasable";
      case UNRELEASABLE_USABLE_POOL -> "Not releasable: same pool and stream";
      case UNRELEASABLE_OTHER_STREAM -> "Not releasable: other stream";
      case UNRELEASABLE_OTHER_POOL -> "Not releasable: other size class";
      case UNRELEASABLE_PRIVATE_POOL -> "Not releasable: private pool";
      case UNRECORDED -> "Held beside what is live";
      case OUTSIDE_ALLOCATOR -> "Outside the allocator, this process";
      case OTHER_PROCESSES -> "Other processes";
      case DEVICE_FREE -> "Free on the device";
    };
  }

  /** A sentence on what the row counts. */
  public static String meaning(Item item, AllocatorFamily family) {
    boolean isBfc = family == AllocatorFamily.BFC;
    return switch (item) {
      case LIVE_REQUESTED -> "Requested size of the blocks in use";
      case ROUNDING -> "Allocated minus requested: the allocator rounds sizes up";
      case LIVE_REQUEST_UNKNOWN ->
          isBfc
              ? "Chunks in use; the file has no requested sizes"
              : "Blocks in use; the file has no requested sizes (before PyTorch 2.0)";
      case LIVE_EARLIER ->
          "Live before the first event and not freed in the recording; the file has only its sum";
      case PENDING_FREE -> "Freed by the program; another stream may still use it (record_stream)";
      case CACHED_RELEASABLE ->
          isBfc
              ? "Regions without a chunk in use; any request can use them"
              : "Completely free segments, and completely free pages of expandable segments:"
                  + " emptying the cache releases them";
      case CACHED_PRIVATE_POOL -> "The same, kept for a CUDA graph or a MemPool";
      case UNRELEASABLE ->
          isBfc
              ? "Free, in a region with a chunk in use; any request that fits can use it"
              : "Free, but in a segment or page with a block in use: it cannot be released";
      case UNRELEASABLE_USABLE_POOL -> "In the request's pool, size class and stream";
      case UNRELEASABLE_OTHER_STREAM -> "Free in segments of another stream";
      case UNRELEASABLE_OTHER_POOL -> "Free in the pool of the other size class";
      case UNRELEASABLE_PRIVATE_POOL -> "Free in a private pool of a CUDA graph or a MemPool";
      case UNRECORDED -> "Rounding, and what the allocator holds free";
      case OUTSIDE_ALLOCATOR -> "CUDA context, cuBLAS and NCCL buffers, other libraries";
      case OTHER_PROCESSES -> "Device memory of other processes";
      case DEVICE_FREE -> "Free according to the driver";
    };
  }
}
