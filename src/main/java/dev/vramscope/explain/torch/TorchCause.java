package dev.vramscope.explain.torch;

import static dev.vramscope.explain.message.Amounts.isSurelyAtLeast;
import static dev.vramscope.explain.message.Amounts.isSurelyMore;
import static dev.vramscope.explain.message.Amounts.text;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.ServingProgram;
import java.util.Optional;

/** Why PyTorch's caching allocator could not serve a request, from the numbers of its message. */
final class TorchCause {
  /** Drivers refuse requests that would leave less than some tens of MiB. */
  private static final long LAST_BYTES = 64L << 20;

  /** Below this part of what the allocator holds, what is unallocated is little. */
  private static final double FEW_UNALLOCATED = 0.1;

  /** From this part of what the program can have on, it holds too much. */
  private static final double NEARLY_ALL = 0.9;

  /** From this part of the device on, what is outside the allocator is the cause. */
  private static final double MUCH_OUTSIDE = 0.25;

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
  private final TorchNumbers numbers;
  private final LogContext context;
  private final TorchRemedies remedies;
  private final boolean isCapturing;

  TorchCause(
      LogMessage message,
      Conclusion.Builder conclusion,
      TorchNumbers numbers,
      LogContext context,
      TorchRemedies remedies) {
    isCapturing = context.isCapturing(message);
    this.remedies = remedies;
    this.numbers = numbers;
    this.context = context;
    this.conclusion = conclusion;
    backend = TorchBackend.of(message);
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
    if (numbers.contradiction().isPresent()) {
      new TorchContradiction(conclusion, numbers).add(numbers.contradiction().get());
      return;
    }
    if (total.isPresent() && isSurelyMore(requested, total.get())) {
      conclusion.certain(
          "The request is larger than the whole device, which has "
              + text(total.get())
              + ". No setting can serve it: the tensor has to be smaller, or divided.");
      conclusion.likely(
          "One tensor is much larger than all others: it grows with the square of a length or of an"
              + " image’s side, or a shape is not the one that was meant.");
      conclusion.remedy(
          "Print the shapes at the line of the traceback. If they are meant, compute the tensor in"
              + " parts: a shorter input, a smaller image, chunks or tiles.",
          "");
      return;
    }
    if (total.isPresent() && requested.bytes() > NEARLY_ALL * total.get().bytes()) {
      conclusion.certain(
          "This one request is for nearly the whole GPU, "
              + Math.round(1000.0 * requested.bytes() / total.get().bytes()) / 10.0
              + " % of "
              + text(total.get())
              + ": it can hardly succeed, whatever else is in use.");
    }
    if (isLimited()) {
      return;
    }
    if (unallocated.isEmpty() || free.isEmpty()) {
      withoutFree();
      return;
    }
    Quantity unused = free.get().plus(unallocated.get());
    if (isSurelyAtLeast(
        free.get(), new Quantity(segment.bytes() + LAST_BYTES, segment.errorBytes()))) {
      refusedByDriver();
    } else if (isSurelyAtLeast(unallocated.get(), requested)) {
      fragmented();
    } else if (isSurelyAtLeast(free.get(), segment)) {
      lastBytes();
    } else if (isSurelyMore(requested, unused)) {
      full(unused);
    } else if (isSurelyMore(segment, free.get())
        && isSurelyMore(requested, unallocated.get())
        && isSurelyAtLeast(unused, segment)) {
      joined(unused);
    } else {
      conclusion.likely(
          text(free.get())
              + " free on the device and "
              + text(unallocated.get())
              + " unallocated in the allocator were too little for the request, or not in one"
              + " piece: the numbers are rounded too coarsely to tell.");
    }
    if (context.isExpandable()) {
      conclusion.likely(
          "According to the text, expandable segments are already on: what is unallocated is in"
              + " private pools, of other streams, or in pages that are partly in use. A snapshot"
              + " shows which.");
    }
    cacheIsEmptied();
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
    if (reserved.isEmpty() || !isSurelyMore(reserved.get().plus(segment), allowed.get())) {
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
            + (free.isPresent() && isSurelyMore(segment, free.get())
                ? " The device had too little free memory as well."
                : ""));
    return false;
  }

  private void fragmented() {
    String inPieces =
        "The allocator holds "
            + text(unallocated.get())
            + " that is not allocated, more than the request. No free block of it could serve the"
            + " request, or it would have been used.";
    if (isNearlyAllLive()) {
      nearlyAllLive();
      conclusion.certain(inPieces);
      return;
    }
    conclusion.certain(inPieces);
    conclusion.likely(
        "Fragmentation: the unallocated memory is in many pieces, between blocks that are in use,"
            + " or belongs to another stream, another pool or a larger size class.");
    remedies.expandable();
  }

  /** Whether so little is unallocated that joining it would serve a few requests more at most. */
  private boolean isNearlyAllLive() {
    if (allocated.isEmpty()) {
      return false;
    }
    boolean areFewUnallocated =
        unallocated.orElseThrow().bytes()
            < FEW_UNALLOCATED * (allocated.get().bytes() + unallocated.get().bytes());
    return areFewUnallocated
        || (free.isPresent()
            && reserved.isPresent()
            && allocated.get().bytes()
                > NEARLY_ALL * (reserved.get().bytes() + free.get().bytes()));
  }

  private void nearlyAllLive() {
    String inUse =
        text(allocated.orElseThrow())
            + " of the "
            + text(reserved.orElseThrow())
            + " that the allocator holds is in use. Even in one piece, the rest would last for few"
            + " further requests: fragmentation is not what to mend.";
    if (isHeldOutside(inUse)) {
      return;
    }
    conclusion.likely("Too much live memory: " + inUse);
    remedies.holdLess("");
  }

  /** Adds that much of the device is held outside the allocator, if it is. */
  private boolean isHeldOutside(String besides) {
    Optional<Quantity> outside =
        free.isPresent() ? Amounts.minus(Amounts.minus(total, free), reserved) : Optional.empty();
    if (total.isEmpty()
        || outside.isEmpty()
        || outside.get().leastBytes() <= MUCH_OUTSIDE * total.get().bytes()) {
      return false;
    }
    conclusion.likely(
        ("Memory outside this program’s allocator: "
                + text(outside.get())
                + " of the "
                + text(total.get())
                + " of the device. "
                + besides)
            .strip());
    conclusion.remedy(
        "Find out what else uses the device and end it, or choose another device: with "
            + text(outside.get())
            + " more, the program might have had enough.",
        "nvidia-smi");
    return true;
  }

  /** An old or a cut message: without the free memory, only the sizes can be compared. */
  private void withoutFree() {
    if (unallocated.isPresent() && isSurelyAtLeast(unallocated.get(), requested)) {
      fragmented();
      return;
    }
    if (total.isPresent()
        && allocated.isPresent()
        && isSurelyMore(requested, Amounts.difference(total.get(), allocated.get()))) {
      conclusion.certain(
          "What this program has allocated, "
              + text(allocated.get())
              + ", and the request are together more than the device has, "
              + text(total.get())
              + ".");
    } else if (free.isPresent() && isSurelyAtLeast(requested, free.get())) {
      conclusion.certain(
          "The device had "
              + text(free.get())
              + " free, "
              + (isSurelyMore(requested, free.get()) ? "less" : "no more")
              + " than the request: it could not serve it.");
      conclusion.unknown(
          "Whether the allocator held enough unallocated memory in pieces: how much it had reserved"
              + " is not in the text.");
    } else if (free.isPresent()) {
      conclusion.unknown(
          "Why the request failed: how much the allocator had reserved is not in the text, only"
              + " what was free on the device, "
              + text(free.get())
              + ".");
    } else {
      conclusion.unknown(
          "Why the request failed: "
              + (unallocated.isPresent()
                  ? "how much the device had free is not in the text."
                  : "the numbers of free and of reserved memory are not in the text."));
    }
    if (unallocated.isEmpty()) {
      conclusion.next(CollectionAdvice.WHOLE_TEXT);
    } else if (backend.limitsOneAllocation(requested)) {
      conclusion.likely(backend.refusal());
    }
  }

  private void lastBytes() {
    if (backend.limitsOneAllocation(requested)) {
      conclusion.likely(
          "The driver refused the request although "
              + text(free.orElseThrow())
              + " were free. "
              + backend.refusal());
      return;
    }
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
            + text(free.orElseThrow())
            + " were free, more than the "
            + text(segment)
            + " that the allocator asks for by default. Something other than the size of the device"
            + " refused the request, or memory was freed before the message was written.");
    conclusion.likely(backend.refusal());
  }

  private void joined(Quantity unused) {
    boolean isNearlyAllLive = isNearlyAllLive();
    if (isNearlyAllLive) {
      nearlyAllLive();
    }
    conclusion.certain(
        "Neither the "
            + text(free.get())
            + " free on the device nor the "
            + text(unallocated.get())
            + " unallocated in the allocator’s segments are enough alone; together they are "
            + text(unused)
            + ", more than the request.");
    if (isNearlyAllLive) {
      return;
    }
    conclusion.likely(
        "Expandable segments could have used part of both: their unused pages go back to the"
            + " device. How much of the unallocated memory is whole pages is not in the text.");
    remedies.expandable();
  }

  private void full(Quantity unused) {
    Optional<Quantity> keptMemory = numbers.privatePools().filter(pools -> pools.bytes() > 0);
    String missingText = text(Amounts.difference(requested, unused));
    String sum =
        text(free.orElseThrow())
            + " free on the device and "
            + text(unallocated.orElseThrow())
            + " unallocated in the allocator are "
            + missingText
            + " less than the request.";
    if (keptMemory.isPresent() && !isSurelyMore(requested, unused.plus(keptMemory.get()))) {
      conclusion.certain(
          "Outside private pools there is too little memory: "
              + sum
              + " Another "
              + text(keptMemory.get())
              + " is free, but inside private pools, which do not serve requests outside them.");
      conclusion.remedy(
          "Release a private pool that is not needed, let CUDA graphs share one, or capture fewer"
              + " sizes.",
          "pool = torch.cuda.graph_pool_handle()  # torch.cuda.graph(g, pool=pool)");
    } else {
      boolean isOutside = isHeldOutside("");
      conclusion.certain(
          "There is too little memory, however it is arranged: "
              + sum
              + " Joining all of it would not have been enough."
              + (isNearlyAllLive() && !isOutside
                  ? " Too much is live: " + text(allocated.orElseThrow()) + "."
                  : ""));
      if (isOutside) {
        return;
      }
    }
    remedies.holdLess(missingText);
  }

  private void cacheIsEmptied() {
    if (isCapturing) {
      conclusion.likely(
          "A CUDA graph was being captured, according to the log. During a capture PyTorch does not"
              + " release unused segments, so emptying the cache before the capture may help.");
      context
          .serving()
          .flatMap(ServingProgram::fewerGraphs)
          .ifPresentOrElse(
              conclusion::remedy,
              () ->
                  conclusion.remedy(
                      "Empty the cache before the capture begins.",
                      backend.module() + ".empty_cache()"));
      return;
    }
    if (numbers.privatePools().filter(pools -> pools.bytes() > 0).isPresent()) {
      conclusion.likely(
          backend.module()
              + ".empty_cache() before the request would not have helped: PyTorch releases every"
              + " wholly unused segment itself before it reports a failure. It does not while a"
              + " graph is being captured, and this program has private pools, as captures do.");
      return;
    }
    conclusion.certain(
        backend.module()
            + ".empty_cache() before the request would not have helped: PyTorch releases every"
            + " wholly unused segment itself before it reports a failure, unless a graph is being"
            + " captured.");
  }
}
