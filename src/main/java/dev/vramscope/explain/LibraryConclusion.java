package dev.vramscope.explain;

import static dev.vramscope.explain.findings.Amounts.text;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.findings.Amounts;
import dev.vramscope.explain.findings.FieldName;
import dev.vramscope.explain.findings.LogMessage;
import dev.vramscope.model.ByteText;
import java.util.Comparator;
import java.util.Optional;

/** What follows from the messages of libraries, servers and drivers. They have few numbers. */
final class LibraryConclusion {
  private LibraryConclusion() {}

  static Conclusion of(LogMessage finding) {
    Conclusion.Builder conclusion = new Conclusion.Builder(finding);
    String size =
        finding
            .quantity(FieldName.REQUESTED)
            .map(bytes -> " of " + ByteText.of(bytes.bytes()))
            .orElse("");
    String device = finding.written(FieldName.DEVICE).map(number -> " on GPU " + number).orElse("");
    switch (finding.kind()) {
      case NCCL -> nccl(conclusion, size, device);
      case RMM -> rmm(finding, conclusion, size);
      case RMM_LOG -> rmmLog(finding, conclusion, size);
      case CUPY -> cupy(finding, conclusion, size);
      case ONNXRUNTIME -> onnxruntime(finding, conclusion, size);
      case LLAMA_CPP -> llamaCpp(finding, conclusion, size, device);
      case HOST -> host(conclusion, size);
      case NVIDIA_SMI -> smi(finding, conclusion);
      default -> cuda(conclusion);
    }
    return conclusion.build();
  }

  private static void nccl(Conclusion.Builder conclusion, String size, String device) {
    conclusion
        .headline("NCCL could not allocate a buffer" + size + device + ".")
        .certain(
            "NCCL asks the driver itself, outside PyTorch’s allocator: what the allocator has"
                + " reserved is not available to it, even if it is unallocated.")
        .likely(
            "PyTorch’s allocator had reserved nearly the whole device before NCCL created its"
                + " communicator, which it does at the first collective call.")
        .unknown("How much was free, and who holds the rest.")
        .remedy(
            "Leave memory for NCCL: limit the allocator, or create the communicators before the"
                + " model, with a first collective call.",
            "torch.cuda.set_per_process_memory_fraction(0.95)")
        .remedy(
            "Make NCCL’s buffers smaller; each channel has one per peer. Transfers may become"
                + " slower.",
            "NCCL_BUFFSIZE=2097152")
        .next(CollectionAdvice.PROCESSES)
        .next(CollectionAdvice.TORCH_SNAPSHOT);
  }

  private static void rmm(LogMessage finding, Conclusion.Builder conclusion, String size) {
    boolean isPool =
        finding.written(FieldName.REASON).filter(reason -> reason.endsWith("exceeded")).isPresent();
    conclusion.headline(
        isPool
            ? "RMM’s pool could not grow" + (size.isEmpty() ? "" : " by a piece" + size) + "."
            : "RMM got no memory from the driver" + size + ".");
    if (isPool) {
      conclusion
          .certain(
              "The pool has a maximum size, and it was reached, or the driver gave no piece of that"
                  + " size; the message is the same for both.")
          .remedy(
              "Raise the maximum, if the device has more; by default it is the memory that is free"
                  + " when the pool is created.",
              "rmm.reinitialize(pool_allocator=True, maximum_pool_size=…)");
    }
    conclusion
        .unknown("How large the pool is, what it holds, and how much of the device was free.")
        .next(
            new Advice(
                "Log the events; the log shows what was live at the failure.",
                "rmm.reinitialize(logging=True, log_file_name=\"rmm_log.csv\")"))
        .next(CollectionAdvice.PROCESSES);
  }

  private static void rmmLog(LogMessage finding, Conclusion.Builder conclusion, String size) {
    String records = finding.written(FieldName.RECORDS).orElse("0");
    String failures = finding.written(FieldName.FAILURES).orElse("0");
    if (records.equals("0")) {
      conclusion
          .headline("The header of an event log of RMM, without an event that can be read.")
          .unknown("What was allocated: RMM writes its log in large pieces, and none is here.")
          .next(
              new Advice(
                  "Free the pool or end the program before copying the log, and upload it on the"
                      + " dashboard.",
                  ""));
      return;
    }
    conclusion.headline(
        "An event log of RMM with "
            + records
            + (records.equals("1") ? " event, " : " events, ")
            + (failures.equals("0") ? "none" : failures)
            + " of them a failed request"
            + (failures.equals("1") ? size : "")
            + ".");
    conclusion
        .unknown(
            (failures.equals("0") ? "" : "Why a request failed. ")
                + (finding.quantity(FieldName.TOTAL).isPresent()
                    ? "How large the pool is."
                    : "How large the device and the pool are.")
                + " The end of the log may be missing, because RMM writes it in large pieces.")
        .next(
            new Advice(
                "Upload the log as a file on the dashboard: it opens as a trace, with a timeline of"
                    + " the memory and what was live at each moment.",
                ""));
  }

  private static void cupy(LogMessage finding, Conclusion.Builder conclusion, String size) {
    Optional<Quantity> allocated = finding.quantity(FieldName.ALLOCATED);
    conclusion.headline("CuPy’s memory pool could not serve a request" + size + ".");
    allocated.ifPresent(
        bytes ->
            conclusion.certain(
                "The pool had allocated "
                    + text(bytes)
                    + " from the driver before, including what is free inside the pool."));
    finding
        .quantity(FieldName.LIMIT)
        .ifPresentOrElse(
            limit -> conclusion.certain("The pool is limited to " + text(limit) + "."),
            () -> conclusion.unknown("Whether the pool has a limit, and how large the device is."));
    conclusion
        .remedy(
            "Return unused memory of the pool to the driver, if another library needs it.",
            "cupy.get_default_memory_pool().free_all_blocks()")
        .next(
            new Advice(
                "Print what the pool uses and holds.",
                "pool = cupy.get_default_memory_pool(); print(pool.used_bytes(),"
                    + " pool.total_bytes())"))
        .next(CollectionAdvice.PROCESSES);
  }

  private static void onnxruntime(LogMessage finding, Conclusion.Builder conclusion, String size) {
    conclusion
        .headline(
            "ONNX Runtime’s arena could not serve a request"
                + size
                + finding
                    .written(FieldName.OPERATION)
                    .map(name -> " of the node " + name)
                    .orElse("")
                + ".")
        .certain("The arena asked the driver for a new region and got none.")
        .unknown("How much the arena holds, how large the device is, and who else uses it.")
        .remedy(
            "By default the arena doubles its regions. Ask for what is needed only, if the device"
                + " is shared or nearly full.",
            "{\"arena_extend_strategy\": \"kSameAsRequested\"}  # options of CUDAExecutionProvider")
        .next(CollectionAdvice.PROCESSES);
  }

  private static void llamaCpp(
      LogMessage finding, Conclusion.Builder conclusion, String size, String device) {
    String buffer = finding.written(FieldName.BUFFER_NAME).map(name -> name + " ").orElse("");
    conclusion
        .headline("llama.cpp could not allocate its " + buffer + "buffer" + size + device + ".")
        .certain(
            "llama.cpp allocates this buffer in one piece: there is no fragmentation inside it.")
        .unknown("How much of the device was free, and how large it is.")
        .remedy("Keep fewer layers on the GPU.", "--n-gpu-layers 20")
        .remedy(
            "Use a smaller context or a smaller type for the KV cache; compute buffers shrink with"
                + " the batch.",
            "--ctx-size 4096 --cache-type-k q8_0 --ubatch-size 256")
        .next(CollectionAdvice.PROCESSES);
  }

  private static void host(Conclusion.Builder conclusion, String size) {
    conclusion
        .headline(
            "The memory of the host ran out"
                + (size.isEmpty() ? "" : " at a request" + size)
                + ", not that of the GPU.")
        .certain(
            "This message is about the memory of the host. Settings of a GPU allocator do not"
                + " change it.")
        .likely(
            "Workers of a data loader, a large dataset in memory, or a checkpoint being loaded.")
        .unknown("Which process used the memory before.")
        .next(
            new Advice(
                "Look at the kernel’s log: it lists all processes with their memory.",
                "journalctl -k | grep -i -A 40 'out of memory'"));
  }

  private static void smi(LogMessage finding, Conclusion.Builder conclusion) {
    Optional<Quantity> used = finding.quantity(FieldName.USED);
    Optional<Quantity> total = finding.quantity(FieldName.TOTAL);
    conclusion.headline(
        "GPU "
            + finding.written(FieldName.DEVICE).orElse("")
            + ", "
            + finding.written(FieldName.MODEL).orElse("")
            + ": "
            + used.map(Amounts::text).orElse("an unknown part")
            + " of "
            + total.map(Amounts::text).orElse("unknown")
            + " were in use when nvidia-smi ran.");
    conclusion.total(total);
    finding.fields().stream()
        .filter(field -> field.name() == FieldName.PROCESS)
        .sorted(
            Comparator.comparingLong(field -> -field.quantity().map(Quantity::bytes).orElse(0L)))
        .forEach(
            field ->
                conclusion.share(Share.Kind.ALLOCATED, "Process " + field.of(), field.quantity()));
    Optional<Quantity> processes =
        finding.fields().stream()
            .filter(field -> field.name() == FieldName.PROCESS)
            .flatMap(field -> field.quantity().stream())
            .reduce(Quantity::plus);
    conclusion.share(
        Share.Kind.OUTSIDE,
        processes.isPresent() ? "Driver, or processes that are not listed" : "In use",
        Amounts.minus(used, processes));
    conclusion.share(Share.Kind.FREE, "Free", Amounts.minus(total, used));
    conclusion.unknown(
        "What was in use at another moment, such as that of a failure; what the processes use it"
            + " for.");
    conclusion.next(
        new Advice(
            "Attach this text to a snapshot of the same device: it says who else used it.", ""));
  }

  private static void cuda(Conclusion.Builder conclusion) {
    conclusion
        .headline("A call of the driver failed with the error that the device’s memory is full.")
        .likely(
            "The failed call was not made by the framework’s allocator, whose own messages have"
                + " numbers. CUDA contexts, graphs, kernels, cuBLAS, cuDNN and other libraries ask"
                + " the driver themselves.")
        .likely(
            "The framework’s allocator had reserved nearly all of the device, or another process"
                + " had; what is left was too little for the library.")
        .unknown(
            "What was requested, how much was free, and which call it was: errors of kernels are"
                + " reported at a later call.")
        .remedy(
            "Leave memory for libraries: limit the allocator.",
            "torch.cuda.set_per_process_memory_fraction(0.95)")
        .next(
            new Advice(
                "Run it once with synchronous kernels: the stack of the exception then names the"
                    + " call.",
                "CUDA_LAUNCH_BLOCKING=1"))
        .next(CollectionAdvice.PROCESSES)
        .next(CollectionAdvice.TORCH_SNAPSHOT);
  }
}
