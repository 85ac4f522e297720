package dev.vramscope.explain.host;

import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** Failures of the host's memory. */
public final class HostRequests implements MessageProducer {
  /** A failure of the host's memory. */
  public static final MessageKind HOST =
      MessageKind.failure(
          "host", Memory.HOST, "The host’s memory", "the host’s memory ran out, not the GPU’s");

  private static final MessageKind WORKER =
      MessageKind.failure(
          "data-loader-worker",
          Memory.HOST,
          "PyTorch’s DataLoader",
          "a worker of PyTorch’s DataLoader that ended");

  private static final MessageKind SHARED =
      MessageKind.context(
          "shared-memory-size", Memory.HOST, "The host", "the size of its shared memory, by df");

  private static final FieldName PID = new FieldName("pid", "Process");

  @Override
  public String name() {
    return "PyTorch’s DataLoader, NumPy, and requests of the host’s memory";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                WORKER,
                "\\(pid\\(?s?\\)? ?[0-9 ,]{1,60}\\) (?:is killed by signal: (?:Killed|Bus"
                    + " error)|exited unexpectedly)|worker\\. This might be caused by insufficient"
                    + " shared memory",
                "is killed by signal:",
                "exited unexpectedly",
                "insufficient shared memory")
            .words(PID, "\\(pid\\(?s?\\)? ?([0-9 ,]{1,60})\\)")
            .words(FieldName.REASON, "(Bus error|insufficient shared memory)"),
        MessageForm.of(SHARED, "(?!)")
            .part(
                "\\b(?:shm|tmpfs) {1,20}[0-9.]{1,12} {0,2}(?:[KMGT]i?B?|bytes) [^/]{0,60}/dev/shm",
                "/dev/shm")
            .bytes(
                FieldName.SHARED_MEMORY,
                "\\b(?:shm|tmpfs) {1,20}" + SIZE + "(?= [^/]{0,60}/dev/shm)"),
        MessageForm.of(
                HOST,
                "DefaultCPUAllocator: (?:can't|not)|\\[?Errno 12\\]? Cannot allocate memory"
                    + "|: Cannot allocate memory \\(12\\)"
                    + "|(?:ArrayMemoryError|MemoryError): Unable to allocate [0-9]",
                "DefaultCPUAllocator:",
                "Cannot allocate memory",
                "Unable to allocate")
            .bytes(
                FieldName.REQUESTED,
                "tried to allocate " + SIZE + "|Unable to allocate " + SIZE + "|mmap " + SIZE)
            .words(FieldName.SHAPE, "array with shape (\\([0-9, ]{1,100}\\))"));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "RuntimeError: DataLoader worker (pid 4410) is killed by signal: Killed.",
        "RuntimeError: DataLoader worker (pid 4410) is killed by signal: Bus error. It is possible"
            + " that dataloader's workers are out of shared memory.",
        "RuntimeError: [enforce fail at alloc_cpu.cpp:114] data. DefaultCPUAllocator: can't"
            + " allocate memory: you tried to allocate 1073741824 bytes. Error code 12 (Cannot"
            + " allocate memory)",
        "shm              64M   56M  8.9M  87% /dev/shm",
        "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 12.3 GiB for an array with"
            + " shape (1650000000,) and data type float64");
  }

  @Override
  public Optional<LogFailure> failureOf(LogMessage message, List<LogFailure> failures) {
    return HostFailures.of(message, failures);
  }

  @Override
  public int rank(LogMessage message) {
    return 2;
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    if (message.kind() == SHARED) {
      conclusion.headline(
          "The shared memory of the host (/dev/shm) has "
              + message.written(FieldName.SHARED_MEMORY).orElse("an unknown size")
              + ".");
    } else if (message.kind() == WORKER) {
      worker(message, failure, conclusion);
    } else {
      String size = message.ofRequested();
      conclusion
          .headline("The memory of the host could not serve a request" + size + "; not the GPU’s.")
          .certain(
              "This is about the memory of the host (RAM). Settings of a GPU allocator do not"
                  + " change it.")
          .likely(
              "Workers of a data loader, a large data set in memory, or a checkpoint being loaded.")
          .unknown("How much of the host’s memory others used.")
          .remedy(
              "Read the data in pieces, or map the file into memory instead of loading it.",
              "np.load(path, mmap_mode=\"r\")")
          .next(LinuxKernel.KERNEL_LOG);
    }
    return conclusion.build();
  }

  private static void worker(
      LogMessage message, List<LogMessage> failure, Conclusion.Builder conclusion) {
    boolean isShared = message.written(FieldName.REASON).isPresent();
    boolean isKilled =
        failure.stream()
            .anyMatch(each -> !each.equals(message) && each.kind().memory() == Memory.HOST);
    conclusion
        .headline(
            "A worker of the data loader"
                + message.written(PID).map(pid -> ", process " + pid + ",").orElse("")
                + " ended"
                + (isShared
                    ? " because the shared memory of the host (/dev/shm) was used up."
                    : ": memory of the host, not of the GPU."))
        .certain(
            "It is about the memory of the host. Settings of a GPU allocator do not change it.");
    if (isShared) {
      conclusion
          .certain(
              "Workers hand their batches on in shared memory; a container has 64 MB by default.")
          .remedy("Give the container more shared memory.", "docker run --shm-size=16g …");
    } else if (!isKilled) {
      conclusion.likely(
          "The kernel killed it because the host, or the container’s part of it, had no memory"
              + " left.");
    }
    conclusion.remedy(
        "Use fewer workers, or let each hold less: smaller prefetch, no copy of the data set in"
            + " each.",
        "DataLoader(…, num_workers=2, prefetch_factor=2)");
    if (!isKilled) {
      conclusion.next(LinuxKernel.KERNEL_LOG);
    }
  }
}
