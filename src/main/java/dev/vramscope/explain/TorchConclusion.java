package dev.vramscope.explain;

import static dev.vramscope.explain.Amounts.isSurelyAtLeast;
import static dev.vramscope.explain.Amounts.isSurelyMore;
import static dev.vramscope.explain.Amounts.plus;
import static dev.vramscope.explain.Amounts.text;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.model.SizeRules;
import java.util.Optional;

/** What follows from the message of PyTorch's caching allocator. */
final class TorchConclusion {
  private final Finding finding;
  private final Conclusion.Builder conclusion;
  private final Quantity requested;
  private final Optional<Quantity> total;
  private final Optional<Quantity> free;
  private final Optional<Quantity> allowed;

  /** Includes what is free in private pools, as the message has it. */
  private final Optional<Quantity> allocated;

  /** Without what is free in private pools. */
  private final Optional<Quantity> unallocated;

  private TorchConclusion(Finding finding, Quantity requested) {
    this.finding = finding;
    this.requested = requested;
    conclusion = new Conclusion.Builder(finding);
    total = finding.quantity(FieldName.TOTAL);
    free = finding.quantity(FieldName.FREE);
    allowed = finding.quantity(FieldName.ALLOWED);
    allocated = finding.quantity(FieldName.ALLOCATED);
    unallocated =
        finding
            .quantity(FieldName.UNALLOCATED)
            .or(() -> finding.quantity(FieldName.CACHED)) // Before 1.4: what the cache has free.
            .or(
                () ->
                    finding
                        .quantity(FieldName.RESERVED)
                        .flatMap(all -> allocated.map(part -> Amounts.difference(all, part))));
  }

  static Conclusion of(Finding finding) {
    Optional<Quantity> requested = finding.quantity(FieldName.REQUESTED);
    return requested.isPresent()
        ? new TorchConclusion(finding, requested.get()).conclusion()
        : withoutSize(finding);
  }

  private static Conclusion withoutSize(Finding finding) {
    Conclusion.Builder conclusion = new Conclusion.Builder(finding);
    if (finding.written(FieldName.REQUESTED).isPresent()) {
      return conclusion
          .headline("PyTorch refused a request of more than 1 EiB.")
          .certain(
              "No device has that much. The size was computed wrongly: a negative or overflowing"
                  + " number became a huge one, for instance in the shape of a tensor.")
          .unknown("Which operation asked for it; the stack of the exception names it.")
          .next(new Advice("Look at the stack of the exception, and print the shapes there.", ""))
          .build();
    }
    return conclusion
        .headline("A request failed in PyTorch’s caching allocator; its size is cut off.")
        .unknown("The size of the request, and all numbers of the device.")
        .next(Collecting.WHOLE_TEXT)
        .next(Collecting.TORCH_SNAPSHOT)
        .build();
  }

  private Conclusion conclusion() {
    conclusion.headline(
        "PyTorch’s caching allocator could not serve a request of "
            + finding.written(FieldName.REQUESTED).orElseThrow()
            + finding.written(FieldName.DEVICE).map(device -> " on GPU " + device).orElse("")
            + ".");
    cause();
    TorchHolders holders =
        new TorchHolders(finding, conclusion, total, free, allocated, unallocated);
    holders.add();
    conclusion.unknown(
        "Which tensors are allocated and which lines of code allocated them; whether memory grows"
            + " from step to step; the allocator’s settings.");
    conclusion.next(Collecting.TORCH_SNAPSHOT);
    if (holders.isAnyoneUnnamed()) {
      boolean isHip = finding.written(FieldName.BACKEND).filter("HIP"::equals).isPresent();
      conclusion.next(isHip ? Collecting.ROCM_PROCESSES : Collecting.PROCESSES);
    }
    return conclusion.build();
  }

  /** What the driver is asked for, with the default settings: a whole segment. */
  private Quantity segment() {
    SizeRules rules = SizeRules.DEFAULT;
    long bytes = rules.segmentBytes(rules.roundedBytes(requested.bytes()));
    return new Quantity(bytes, requested.errorBytes());
  }

  private void cause() {
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
      conclusion.unknown(
          "Why the request failed: the text ends before the numbers of free and reserved memory.");
      conclusion.next(Collecting.WHOLE_TEXT);
      return;
    }
    Quantity unused = plus(free.get(), unallocated.get());
    if (isSurelyAtLeast(unallocated.get(), requested)) {
      fragmented();
    } else if (isSurelyAtLeast(free.get(), segment())) {
      refusedByDriver();
    } else if (isSurelyAtLeast(unused, segment())) {
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
    Optional<Quantity> reserved = reserved();
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

  private Optional<Quantity> reserved() {
    return allocated.flatMap(bytes -> unallocated.map(rest -> plus(bytes, rest)));
  }

  /** The limit set by set_per_process_memory_fraction. */
  private boolean isLimited() {
    if (allowed.isEmpty() || (total.isPresent() && isSurelyAtLeast(allowed.get(), total.get()))) {
      return false;
    }
    Optional<Quantity> reserved = reserved();
    String limit =
        "the program may reserve at most "
            + text(allowed.get())
            + (total.isPresent() ? " of " + text(total.get()) : "")
            + " (torch.cuda.set_per_process_memory_fraction, or per_process_memory_fraction in"
            + " PYTORCH_CUDA_ALLOC_CONF)";
    if (reserved.isEmpty() || !isSurelyMore(plus(reserved.get(), segment()), allowed.get())) {
      conclusion.certain("There is a limit: " + limit + ".");
      return false;
    }
    boolean isFree = free.isPresent() && isSurelyAtLeast(free.get(), segment());
    String sum =
        "What is reserved, "
            + text(reserved.get())
            + ", and the "
            + text(segment())
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
    conclusion.remedy(
        "Let segments grow instead of acquiring new ones: free pieces at different places can then"
            + " be used together. Whether it is enough depends on the order of all requests; only a"
            + " replay of a recorded trace proves it. From PyTorch 2.1 on, on Linux.",
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True");
  }

  private void refusedByDriver() {
    conclusion.certain(
        "According to the driver, "
            + text(free.get())
            + " were free, more than the "
            + text(segment())
            + " that the allocator asks for by default. Something other than the size of the device"
            + " refused the request, or memory was freed before the message was written.");
    conclusion.likely(
        "A limit that the message does not name, such as"
            + " torch.cuda.set_per_process_memory_fraction (PyTorch before 1.8 and from 2.1 to 2.8"
            + " does not print it), or a limit of the container; or another process held the memory"
            + " at the moment of the request.");
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
    conclusion.remedy(
        "Use expandable segments; only a replay of a recorded trace proves that it is enough. From"
            + " PyTorch 2.1 on, on Linux.",
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True");
  }

  private void full(Quantity unused) {
    conclusion.certain(
        "There is too little memory, however it is arranged: "
            + text(free.get())
            + " free on the device and "
            + text(unallocated.get())
            + " unallocated in the allocator are "
            + text(Amounts.difference(requested, unused))
            + " less than the request. No setting of the allocator could have served it.");
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
