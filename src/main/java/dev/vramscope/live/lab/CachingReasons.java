package dev.vramscope.live.lab;

import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.allocator.caching.CachingAllocator;
import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.SizeRules;
import java.util.List;
import java.util.Optional;

/** Explains the requests of a caching allocator. */
final class CachingReasons extends Reasons {
  private final SizeRules sizes;

  CachingReasons(
      LabAllocator side, List<SegmentView> before, Applied applied, List<SegmentView> after) {
    super(side, before, applied, after);
    CachingAllocator allocator = (CachingAllocator) side.allocator();
    sizes = SizeRules.of(Optional.of(new AllocatorSettings(allocator.settings())));
  }

  @Override
  String block() {
    return "block";
  }

  @Override
  String segment() {
    return "segment";
  }

  @Override
  Search search(Operation.Allocate request) {
    long rounded = sizes.roundedBytes(request.bytes());
    return new Search(
        rounded,
        searched().of(rounded, request.stream()).stream()
            .map(free -> free.block().address())
            .toList(),
        chosenBlock().map(free -> free.block().address()).orElse(Search.NONE),
        -1,
        -1);
  }

  @Override
  void allocated(Operation.Allocate request) {
    long rounded = sizes.roundedBytes(request.bytes());
    rounded(request.bytes(), rounded);
    pool(rounded);
    searched(rounded, request.stream());
    for (Attempt attempt : applied.attempts()) {
      attempt(attempt, rounded);
    }
    if (applied.isFailed()) {
      add(Reason.Kind.FAILED, applied.message());
      return;
    }
    split(rounded);
  }

  private void rounded(long bytes, long rounded) {
    if (bytes == rounded) {
      add(Reason.Kind.ROUNDED, exact(bytes) + " needs no rounding.");
    } else {
      add(
          Reason.Kind.ROUNDED,
          exact(bytes)
              + " is rounded up to "
              + exact(rounded)
              + (rounded % 512 == 0 && rounded - bytes < 512
                  ? ", the next multiple of 512 bytes."
                  : " (roundup_power2_divisions)."));
    }
  }

  private void pool(long rounded) {
    add(
        Reason.Kind.POOL,
        SizeRules.isSmall(rounded)
            ? "At most 1 MiB: the small pool, whose segments have 2 MiB."
            : "More than 1 MiB: the large pool.");
  }

  private void searched(long rounded, int stream) {
    FreeBlocks free = searched();
    List<FreeBlocks.Free> own = free.of(rounded, stream);
    List<FreeBlocks.Free> others = free.ofOtherStreams(rounded, stream);
    Optional<FreeBlocks.Free> block = chosenBlock();
    String elsewhere =
        FreeBlocks.largestBytes(others) < rounded
            ? ""
            : " Stream "
                + others.getLast().segment().stream()
                + " has a free block of "
                + ByteText.of(FreeBlocks.largestBytes(others))
                + ", but free memory is never shared between streams.";
    String pool = " free in this pool on stream " + stream;
    if (block.isPresent()) {
      add(
          Reason.Kind.SEARCHED,
          counted(own.size(), "block")
              + (own.size() == 1 ? " is" : " are")
              + pool
              + ". The smallest that is large enough has "
              + ByteText.of(block.get().block().bytes())
              + ": the best fit.");
    } else if (own.isEmpty()) {
      add(Reason.Kind.SEARCHED, "No block is" + pool + "." + elsewhere);
    } else if (FreeBlocks.largestBytes(own) < rounded) {
      add(
          Reason.Kind.SEARCHED,
          counted(own.size(), "block")
              + (own.size() == 1 ? " is" : " are")
              + pool
              + ", the largest of "
              + ByteText.of(FreeBlocks.largestBytes(own))
              + ": too small."
              + elsewhere);
    } else {
      add(
          Reason.Kind.SEARCHED,
          "A free block of "
              + ByteText.of(FreeBlocks.largestBytes(own))
              + " is large enough, but max_split_size_mb keeps it for larger requests."
              + elsewhere);
    }
  }

  private void attempt(Attempt attempt, long rounded) {
    switch (attempt.step()) {
      case SEARCH -> {
        // Told before, with the blocks.
      }
      case COLLECT_GARBAGE ->
          add(
              Reason.Kind.DRIVER,
              attempt.bytes() == 0
                  ? "garbage_collection_threshold: nothing old enough to release."
                  : "garbage_collection_threshold: "
                      + ByteText.of(attempt.bytes())
                      + " of old unused segments is released first.");
      case CHECK_LIMIT ->
          add(
              Reason.Kind.DRIVER,
              "The driver is not asked: with another "
                  + ByteText.of(attempt.bytes())
                  + " the allocator would exceed its memory limit.");
      case ACQUIRE -> acquired(attempt, rounded);
      case SEARCH_FALLBACK_POOLS ->
          add(
              Reason.Kind.SEARCHED,
              attempt.isEnough()
                  ? "A pool with use_on_oom has a free block."
                  : "No pool with use_on_oom has a free block that is large enough.");
      case RELEASE_OVERSIZE ->
          add(
              Reason.Kind.DRIVER,
              attempt.bytes() == 0
                  ? "There is no unused block above max_split_size to release."
                  : ByteText.of(attempt.bytes())
                      + " of unused blocks above max_split_size is released"
                      + (attempt.isEnough() ? "." : ", which is not enough."));
      case RELEASE_CACHE -> {
        completions(completedLater());
        add(
            Reason.Kind.DRIVER,
            attempt.bytes() == 0
                ? "The allocator waits for all streams to release its cache, but no segment is"
                    + " completely free."
                : "The allocator waits for all streams and releases its cache: "
                    + ByteText.of(attempt.bytes())
                    + " goes back to the driver. It asks once more.");
      }
      case MERGE_RECENT_FREES, RELEASE_REGIONS -> {
        // Steps of BFC.
      }
    }
  }

  private void acquired(Attempt attempt, long rounded) {
    if (!attempt.isEnough()) {
      add(
          Reason.Kind.DRIVER,
          "The driver is asked for "
              + ByteText.of(attempt.bytes())
              + why(attempt.bytes(), rounded)
              + " and refuses.");
      return;
    }
    if (sizes.isExpandable()) {
      long mapped = applied.driver().stream().mapToLong(StepEvents.DriverEvent::bytes).sum();
      add(
          Reason.Kind.DRIVER,
          "The expandable segment of this pool and stream grows: "
              + ByteText.of(mapped)
              + " is mapped, in pages of "
              + ByteText.of(sizes.pageBytes(sizes.kind(rounded)))
              + ", at its end or into its holes.");
    } else {
      add(
          Reason.Kind.DRIVER,
          "The driver provides a new segment of "
              + ByteText.of(attempt.bytes())
              + why(attempt.bytes(), rounded)
              + ".");
    }
  }

  /** Why a segment is larger than its first block. */
  private String why(long segmentBytes, long rounded) {
    if (sizes.isExpandable() || segmentBytes == rounded) {
      return "";
    }
    if (SizeRules.isSmall(rounded)) {
      return " (segments of the small pool have 2 MiB)";
    }
    return rounded < 10 << 20
        ? " (requests below 10 MiB share segments of this size)"
        : " (a multiple of 2 MiB)";
  }

  private void split(long rounded) {
    BlockView block = blockAt(after, applied.address()).orElseThrow();
    SegmentView segment = segmentAt(after, applied.address()).orElseThrow();
    Optional<FreeBlocks.Free> source = chosenBlock();
    long left =
        source.isPresent()
            ? source.get().block().bytes() - block.bytes()
            : blockAt(after, block.endAddress())
                .filter(next -> next.handle() == 0 && next.endAddress() <= segment.endAddress())
                .map(BlockView::bytes)
                .orElse(0L);
    if (left > 0) {
      add(
          Reason.Kind.SPLIT,
          "Split: "
              + ByteText.of(block.bytes())
              + " serves the request, "
              + ByteText.of(left)
              + (segment.expandable() ? " stays free." : " stays free in the same segment."));
    } else if (block.bytes() == rounded) {
      add(Reason.Kind.SPLIT, "It fits exactly; nothing is split off.");
    } else {
      add(
          Reason.Kind.SPLIT,
          "The remainder of "
              + ByteText.of(block.bytes() - rounded)
              + " is not split off, because it is at most 1 MiB or the block is above"
              + " max_split_size. Nobody can use it while the block is in use.");
    }
  }
}
