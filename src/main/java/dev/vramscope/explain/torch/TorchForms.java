package dev.vramscope.explain.torch;

import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.evidence.TorchPhrases;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;

/** The messages of PyTorch, of every release since 1.0 and every backend. */
final class TorchForms {
  /** How every message of the caching allocator begins. */
  private static final String BACKEND = "(CUDA|HIP|XPU|NPU) out of memory\\b";

  /**
   * The same words in prose are no message: the size follows at once, or an exception is before.
   */
  private static final String START =
      BACKEND
          + "(?:(?=[.:]? {0,2}Tried\\b)"
          + "|(?<=(?:Error|Exception|what\\(\\))[:('\"]{0,3} {0,2}['\"]?(?:CUDA|HIP|XPU|NPU) out of"
          + " memory))";

  /** Between name and value: of JSON, of a dict, and of the pairs of an OrderedDict. */
  private static final String STATS_SEPARATOR = "['\"] ?[:,] ?";

  static final List<MessageForm> ALL =
      List.of(
          MessageForm.of(PyTorch.TORCH, START, "out of memory")
              .words(FieldName.BACKEND, BACKEND)
              .bytes(FieldName.REQUESTED, TorchPhrases.REQUESTED)
              .words(FieldName.REQUESTED, "[Tt]ried to allocate (more than 1EB)")
              .words(FieldName.DEVICE, TorchPhrases.device("[GNX]"))
              .bytes(FieldName.TOTAL, TorchPhrases.TOTAL)
              .bytes(FieldName.FREE, TorchPhrases.FREE)
              .bytes(FieldName.ALLOWED, TorchPhrases.ALLOWED)
              .each(FieldName.PROCESS, TorchPhrases.OTHER_PROCESS)
              .bytes(FieldName.THIS_PROCESS, TorchPhrases.THIS_PROCESS)
              .bytes(FieldName.ALLOCATED, TorchPhrases.ALLOCATED)
              .bytes(FieldName.ACTIVE, SIZE + " current active")
              .bytes(FieldName.PRIVATE_POOLS, "with " + SIZE + " allocated in private pools")
              .bytes(FieldName.RESERVED, TorchPhrases.RESERVED)
              .bytes(FieldName.CACHED, TorchPhrases.CACHED)
              .bytes(FieldName.UNALLOCATED, TorchPhrases.UNALLOCATED),
          // Seven lines; pastes change the blanks around the colons.
          MessageForm.of(
                  PyTorch.TORCH_ASYNC,
                  "Allocation on device [0-9]{1,3} would exceed allowed memory",
                  "would exceed allowed memory")
              .words(FieldName.DEVICE, "Allocation on device ([0-9]{1,3})")
              .bytes(FieldName.ALLOCATED, "Currently allocated ?: ?" + SIZE)
              .bytes(FieldName.REQUESTED, "Requested ?: ?" + SIZE)
              .bytes(FieldName.TOTAL, "Device limit ?: ?" + SIZE)
              .bytes(FieldName.FREE, "Free \\(according to CUDA\\) ?: ?" + SIZE)
              .bytes(
                  FieldName.ALLOWED,
                  "PyTorch limit \\(set by user-supplied memory fraction\\) ?: ?" + SIZE),
          // Its GB are 2^30 bytes.
          MessageForm.of(
                  PyTorch.TORCH_MPS, "MPS backend out of memory", "MPS backend out of memory")
              .bytes(FieldName.ALLOCATED, "MPS allocated: " + SIZE)
              .bytes(FieldName.OTHER, "other allocations: " + SIZE)
              .bytes(FieldName.ALLOWED, "max allowed: " + SIZE)
              .bytes(FieldName.REQUESTED, TorchPhrases.REQUESTED),
          MessageForm.of(
              PyTorch.TORCH_NVML,
              "NVML_SUCCESS == (?:(?!NVML_SUCC)[^\\r\\n]){1,200}? ?INTERNAL ASSERT FAILED at"
                  + " \"[^\"]{0,200}CUDACachingAllocator",
              "INTERNAL ASSERT FAILED at"),
          stats(),
          summary());

  private TorchForms() {}

  /** The counters of {@code memory_stats()}; they are sorted by name, so that none is the first. */
  private static MessageForm stats() {
    String counter = "[a-z_]{3,30}\\.all\\.(?:current|peak|allocated|freed)";
    return MessageForm.of(PyTorch.MEMORY_STATS, "(?!)")
        .part(
            "['\"]" + counter + STATS_SEPARATOR + "[0-9]|['\"]num_[a-z_]{3,30}" + STATS_SEPARATOR,
            ".all.current",
            ".all.peak",
            "num_ooms",
            "num_alloc_retries")
        .words(FieldName.FAILURES, "['\"]num_ooms" + STATS_SEPARATOR + "([0-9]{1,12})")
        .words(FieldName.RETRIES, "['\"]num_alloc_retries" + STATS_SEPARATOR + "([0-9]{1,12})")
        .bytes(FieldName.ALLOCATED, counter("allocated_bytes", "current"))
        .bytes(FieldName.ALLOCATED_PEAK, counter("allocated_bytes", "peak"))
        .bytes(FieldName.ACTIVE, counter("active_bytes", "current"))
        .bytes(FieldName.ACTIVE_PEAK, counter("active_bytes", "peak"))
        .bytes(FieldName.CLIENT_REQUESTED, counter("requested_bytes", "current"))
        .bytes(FieldName.CLIENT_REQUESTED_PEAK, counter("requested_bytes", "peak"))
        .bytes(FieldName.RESERVED, counter("reserved_bytes", "current"))
        .bytes(FieldName.RESERVED_PEAK, counter("reserved_bytes", "peak"))
        .bytes(FieldName.NON_RELEASABLE, counter("inactive_split_bytes", "current"))
        .bytes(FieldName.NON_RELEASABLE_PEAK, counter("inactive_split_bytes", "peak"));
  }

  private static String counter(String name, String column) {
    return "['\"]" + name + "\\.all\\." + column + STATS_SEPARATOR + MessageForm.BYTES;
  }

  /** The table of {@code memory_summary()}; the rows of the pools are not read. */
  private static MessageForm summary() {
    return row(
        row(
            row(
                row(
                    row(
                        MessageForm.of(
                                PyTorch.MEMORY_SUMMARY,
                                "PyTorch [A-Z]{2,5} memory summary, device ID [0-9]{1,3}",
                                "memory summary, device ID")
                            .part(
                                "(?:GPU|[A-Z]{3}) reserved memory[ |]{1,4}[0-9]"
                                    + "|Allocated memory[ |]{1,4}[0-9]",
                                " reserved memory", "Allocated memory")
                            .truncated()
                            .words(FieldName.DEVICE, "memory summary, device ID ([0-9]{1,3})")
                            .words(FieldName.FAILURES, "[A-Z]{2,5} OOMs: ([0-9]{1,12})")
                            .words(FieldName.RETRIES, "Malloc retries: ([0-9]{1,12})"),
                        "Allocated memory",
                        FieldName.ALLOCATED,
                        FieldName.ALLOCATED_PEAK),
                    "Active memory",
                    FieldName.ACTIVE,
                    FieldName.ACTIVE_PEAK),
                "Requested memory",
                FieldName.CLIENT_REQUESTED,
                FieldName.CLIENT_REQUESTED_PEAK),
            "[A-Z]{3} reserved memory",
            FieldName.RESERVED,
            FieldName.RESERVED_PEAK),
        "Non-releasable memory",
        FieldName.NON_RELEASABLE,
        FieldName.NON_RELEASABLE_PEAK);
  }

  private static MessageForm row(
      MessageForm form, String label, FieldName current, FieldName peak) {
    // A bar at the start of a line may be taken for a quotation mark.
    return form.bytes(current, label + "[ |]{1,4}" + SIZE)
        .bytes(peak, label + "[ |]{1,4}[0-9]{1,12} [A-Za-z]{1,5}[ |]{1,4}" + SIZE);
  }
}
