package dev.vramscope.live.lab;

import dev.vramscope.allocator.BlockView;
import dev.vramscope.allocator.RequestStep;
import dev.vramscope.allocator.SegmentView;
import dev.vramscope.allocator.bfc.BfcAllocator;
import dev.vramscope.model.ByteText;
import dev.vramscope.model.pool.ChunkRules;
import java.util.List;
import java.util.Optional;

/** Explains the requests of a BFC allocator. */
final class BfcReasons extends Reasons {
  /** Refused sizes of one extension that are told one by one, besides the last. */
  private static final int SHOWN_REFUSALS = 12;

  BfcReasons(
      LabAllocator side, List<SegmentView> before, Applied applied, List<SegmentView> after) {
    super(side, before, applied, after);
  }

  @Override
  String block() {
    return "chunk";
  }

  @Override
  String segment() {
    return "region";
  }

  @Override
  Search search(Operation.Allocate request) {
    long rounded = ChunkRules.rounded(request.bytes());
    Optional<FreeBlocks.Free> block = chosenBlock();
    return new Search(
        rounded,
        searched().all().stream().map(free -> free.block().address()).toList(),
        block.map(free -> free.block().address()).orElse(Search.NONE),
        BfcAllocator.binOf(rounded),
        block
            .map(free -> BfcAllocator.binOf(free.block().bytes()))
            .orElse(BfcAllocator.BIN_COUNT - 1));
  }

  @Override
  void allocated(Operation.Allocate request) {
    long rounded = ChunkRules.rounded(request.bytes());
    add(
        Reason.Kind.ROUNDED,
        rounded == request.bytes()
            ? exact(rounded) + " needs no rounding."
            : exact(request.bytes())
                + " is rounded up to "
                + exact(rounded)
                + ", the next multiple of 256 bytes.");
    searched(rounded);
    List<Attempt> attempts = applied.attempts();
    for (int i = 0; i < attempts.size(); i++) {
      int first = i;
      while (i < attempts.size() && isRefused(attempts.get(i))) {
        i++;
      }
      refused(attempts.subList(first, i));
      if (i < attempts.size()) {
        attempt(attempts.get(i));
      }
    }
    if (applied.isFailed()) {
      add(
          Reason.Kind.NOTE,
          "A request that may retry waits ten seconds for another thread to free memory. In the lab"
              + " there is none.");
      add(Reason.Kind.FAILED, applied.message());
      return;
    }
    driver();
    split(rounded);
  }

  private void searched(long rounded) {
    int first = BfcAllocator.binOf(rounded);
    List<FreeBlocks.Free> free = searched().all();
    add(
        Reason.Kind.POOL,
        "Its size belongs to bin " + first + " (" + range(first) + "); streams do not matter.");
    Optional<FreeBlocks.Free> block = chosenBlock();
    if (block.isPresent()) {
      int last = BfcAllocator.binOf(block.get().block().bytes());
      add(
          Reason.Kind.SEARCHED,
          "Searched "
              + (first == last ? "bin " + first : "bins " + first + " to " + last)
              + ": the smallest chunk that is large enough has "
              + ByteText.of(block.get().block().bytes())
              + ", in bin "
              + last
              + ".");
    } else if (free.isEmpty()) {
      add(Reason.Kind.SEARCHED, "All bins are empty.");
    } else {
      add(
          Reason.Kind.SEARCHED,
          "Searched bins "
              + first
              + " to "
              + (BfcAllocator.BIN_COUNT - 1)
              + ": no chunk is large enough, the largest free one has "
              + ByteText.of(FreeBlocks.largestBytes(free))
              + ".");
    }
  }

  /** "1 MiB to 2 MiB". */
  private static String range(int bin) {
    long from = 256L << bin;
    return bin == BfcAllocator.BIN_COUNT - 1
        ? ByteText.of(from) + " and more"
        : ByteText.of(from) + " to " + ByteText.of(2 * from);
  }

  private static boolean isRefused(Attempt attempt) {
    return attempt.step() == RequestStep.ACQUIRE && !attempt.isEnough();
  }

  /** The calls of the driver that an extension made in vain: the target size, then tenths less. */
  private void refused(List<Attempt> calls) {
    for (int i = 0; i < calls.size(); i++) {
      String bytes = ByteText.of(calls.get(i).bytes());
      int left = calls.size() - 1 - i;
      if (i == 0) {
        add(Reason.Kind.DRIVER, "The driver refuses a new region of " + bytes + ".");
      } else if (i < SHOWN_REFUSALS || left == 0) {
        add(Reason.Kind.DRIVER, "The driver refuses " + bytes + ", a tenth less.");
      } else if (i == SHOWN_REFUSALS) {
        add(
            Reason.Kind.DRIVER,
            "The driver refuses "
                + counted(left, "more size")
                + " from "
                + bytes
                + " on, each a tenth less.");
      }
    }
  }

  private void attempt(Attempt attempt) {
    switch (attempt.step()) {
      case CHECK_LIMIT ->
          add(
              Reason.Kind.DRIVER,
              "The pool cannot grow by "
                  + ByteText.of(attempt.bytes())
                  + ": it would exceed its limit.");
      case RELEASE_REGIONS ->
          add(
              Reason.Kind.DRIVER,
              "Regions without a chunk in use are released: " + ByteText.of(attempt.bytes()) + ".");
      default -> {
        // Told before, or a step of the caching allocator.
      }
    }
  }

  private void split(long rounded) {
    BlockView chunk = blockAt(after, applied.address()).orElseThrow();
    long source =
        blockAt(before, applied.address())
            .map(BlockView::bytes)
            .orElseGet(
                () -> segmentAt(after, applied.address()).map(SegmentView::bytes).orElse(0L));
    long left = source - chunk.bytes();
    if (left > 0) {
      add(
          Reason.Kind.SPLIT,
          "Split: "
              + ByteText.of(chunk.bytes())
              + " serves the request, "
              + ByteText.of(left)
              + " goes to bin "
              + BfcAllocator.binOf(left)
              + ".");
    } else if (chunk.bytes() == rounded) {
      add(Reason.Kind.SPLIT, "It fits exactly; nothing is split off.");
    } else {
      add(
          Reason.Kind.SPLIT,
          "Not split: the remainder of "
              + ByteText.of(chunk.bytes() - rounded)
              + " is smaller than the request and than 128 MiB. It is lost while the chunk is in"
              + " use.");
    }
  }
}
