package dev.vramscope.explain;

import static dev.vramscope.explain.Amounts.isSurelyAtLeast;
import static dev.vramscope.explain.Amounts.isSurelyMore;
import static dev.vramscope.explain.Amounts.plus;
import static dev.vramscope.explain.Amounts.text;

import dev.vramscope.evidence.Quantity;
import java.util.Optional;

/** Why PyTorch's caching allocator could not serve a request, from the numbers of its message. */
final class TorchCause {
  /** Drivers refuse requests that would leave less than some tens of MiB. */
  private static final long LAST_BYTES = 64L << 20;

  private final Conclusion.Builder conclusion;
  private final TorchBackend backend;
  private final Quantity requested;
  private final Quantity segment;
  private final Optional<Quantity> total;
  private final Optional<Quantity> free;
  private final Optional<Quantity> allocated;
  private final Optional<Quantity> unallocated;
  private final Optional<Quantity> allowed;
  private final Optional<Quantity> reserved;

  TorchCause(Conclusion.Builder conclusion, TorchBackend backend, TorchNumbers numbers) {
    this.conclusion = conclusion;
    this.backend = backend;
    requested = numbers.requested();
    segment = numbers.segment();
    total = numbers.total();
    free = numbers.free();
    allocated = numbers.allocated();
    unallocated = numbers.unallocated();
    allowed = numbers.allowed();
    reserved = numbers.reserved();
  }

  /** Adds the cause, as far as the numbers show it. */
  void add() {
    if (total.isPresent() && isSurelyMore(requested, total.get())) {
      conclusion.certain(
          "The request is larger than the whole device, which has "
              + text(total.get())
              + ". No setting can serve it: the tensor has to be smaller, or divided.");
      return;
    }
    if (isContradictory()) {
      return;
    }
    if (isLimited()) {
      return;
    }
    if (unallocated.isEmpty() || free.isEmpty()) {
      withoutFree();
      return;
    }
    Quantity unused = plus(free.get(), unallocated.get());
    if (isSurelyAtLeast(
        free.get(), new Quantity(segment.bytes() + LAST_BYTES, segment.errorBytes()))) {
      refusedByDriver();
    } else if (isSurelyAtLeast(unallocated.get(), requested)) {
      fragmented();
    } else if (isSurelyAtLeast(free.get(), segment)) {
      lastBytes();
    } else if (isSurelyAtLeast(unused, segment)) {
      joined(unused);
    } else if (isSurelyMore(requested, unused)) {
      full(unused);
    } else {
      conclusion.likely(
          "Free memory of the device and unallocated memory of the allocator together are about as"
              + " large as the request, "
              + text(unused)
              + ": too little, or not in one piece. The numbers are rounded too coarsely to tell.");
    }
    cacheIsEmptied();
  }

  private boolean isContradictory() {
    if (total.isEmpty()) {
      return false;
    }
    if (allocated.isPresent() && isSurelyMore(allocated.get(), total.get())) {
      conclusion.certain(
          "More is allocated, "
              + text(allocated.get())
              + ", than the device has, "
              + text(total.get())
              + ": part of it is not in the memory of the device.");
      conclusion.likely(
          "The driver for Windows and WSL moved part of it into the memory of the host, which is"
              + " slow. Then the free memory in the message is not the limit either.");
      conclusion.remedy(
          "Turn off the fallback in NVIDIA’s control panel: CUDA – Sysmem Fallback Policy, Prefer"
              + " No Sysmem Fallback. The program then fails at the size of the device, with"
              + " numbers that add up.",
          "");
      return true;
    }
    if (reserved.isPresent()
        && free.isPresent()
        && isSurelyMore(plus(reserved.get(), free.get()), total.get())) {
      conclusion.certain(
          "The numbers contradict each other: reserved and free memory together are "
              + text(plus(reserved.get(), free.get()))
              + ", more than the size of the device, "
              + text(total.get())
              + ".");
      conclusion.unknown(
          "Why the request failed. Messages of several devices may be mixed up, or the text was"
              + " edited.");
      return true;
    }
    return false;
  }

  /** The limit set by set_per_process_memory_fraction. */
  private boolean isLimited() {
    if (allowed.isEmpty() || (total.isPresent() && isSurelyAtLeast(allowed.get(), total.get()))) {
      return false;
    }
    String limit =
        "the program may reserve at most "
            + text(allowed.get())
            + (total.isPresent() ? " of " + text(total.get()) : "")
            + " (torch.cuda.set_per_process_memory_fraction, or per_process_memory_fraction in"
            + " PYTORCH_CUDA_ALLOC_CONF)";
    if (reserved.isEmpty() || !isSurelyMore(plus(reserved.get(), segment), allowed.get())) {
      conclusion.certain("There is a limit: " + limit + ".");
      return false;
    }
    boolean isFree = free.isPresent() && isSurelyAtLeast(free.get(), segment);
    String sum =
        "What is reserved, "
            + text(reserved.get())
            + ", and the "
            + text(segment)
            + " that the request needs exceed it.";
    if (isFree) {
      conclusion.certain(
          "The limit of the program refused the request, not the device, which had "
              + text(free.get())
              + " free: "
              + limit
              + ". "
              + sum);
      conclusion.remedy(
          "Raise the limit, if the rest of the device is not needed by others.",
          "torch.cuda.set_per_process_memory_fraction(1.0)");
      cacheIsEmptied();
      return true;
    }
    conclusion.certain(
        "The request exceeds the limit of the program: "
            + limit
            + ". "
            + sum
            + " The device had"
            + " too little free memory as well.");
    return false;
  }

  private void fragmented() {
    conclusion.certain(
        "The allocator holds "
            + text(unallocated.get())
            + " that is not allocated, more than the request. No free block of it could serve the"
            + " request, or it would have been used.");
    conclusion.likely(
        "Fragmentation: the unallocated memory is in many pieces, between blocks that are in use,"
            + " or belongs to another stream, another pool or a larger size class.");
    conclusion.remedy(backend.expandableSegments());
  }

  /** An old or a cut message: without the free memory, only the sizes can be compared. */
  private void withoutFree() {
    if (total.isPresent()
        && allocated.isPresent()
        && isSurelyMore(requested, Amounts.difference(total.get(), allocated.get()))) {
      conclusion.certain(
          "What this program has allocated, "
              + text(allocated.get())
              + ", and the request are together more than the device has, "
              + text(total.get())
              + ".");
    } else {
      conclusion.unknown(
          "Why the request failed: the numbers of free and of reserved memory are not in the"
              + " text.");
    }
    conclusion.next(Collecting.WHOLE_TEXT);
  }

  private void lastBytes() {
    conclusion.likely(
        "The device is full. "
            + text(free.orElseThrow())
            + " were free, hardly more than the "
            + text(segment)
            + " that the allocator asks for by default, and the driver keeps the last of its memory"
            + " for itself.");
  }

  private void refusedByDriver() {
    conclusion.certain(
        "According to the driver, "
            + text(free.get())
            + " were free, more than the "
            + text(segment)
            + " that the allocator asks for by default. Something other than the size of the device"
            + " refused the request, or memory was freed before the message was written.");
    conclusion.likely(backend.refusal());
  }

  private void joined(Quantity unused) {
    conclusion.certain(
        "Neither the "
            + text(free.get())
            + " free on the device nor the "
            + text(unallocated.get())
            + " unallocated in the allocator’s segments are enough alone; together they are "
            + text(unused)
            + ", more than the request.");
    conclusion.likely(
        "Expandable segments could have used part of both: their unused pages go back to the"
            + " device. How much of the unallocated memory is whole pages is not in the text.");
    conclusion.remedy(backend.expandableSegments());
  }

  private void full(Quantity unused) {
    conclusion.certain(
        "There is too little memory, however it is arranged: "
            + text(free.get())
            + " free on the device and "
            + text(unallocated.get())
            + " unallocated in the allocator are "
            + text(Amounts.difference(requested, unused))
            + " less than the request. Joining all of it would not have been enough.");
    conclusion.remedy(
        "At least "
            + text(Amounts.difference(requested, unused))
            + " has to be freed, or not allocated: a smaller batch or sequence, activation"
            + " checkpointing, sharded or 8-bit optimizer states, fewer copies. What holds the"
            + " memory decides which of these helps; a snapshot shows it.",
        "");
  }

  private void cacheIsEmptied() {
    conclusion.certain(
        "torch.cuda.empty_cache() before the request would not have helped: PyTorch releases every"
            + " wholly unused segment itself before it reports a failure, unless a CUDA graph is"
            + " being captured.");
  }
}
