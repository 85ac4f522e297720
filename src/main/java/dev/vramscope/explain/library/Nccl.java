package dev.vramscope.explain.library;

import static dev.vramscope.explain.reading.MessageForm.BYTES;
import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** NVIDIA's communication library. */
public final class Nccl implements MessageProducer {
  /** A failed allocation. */
  public static final MessageKind NCCL =
      MessageKind.failure("nccl", Memory.DEVICE, "NCCL", "a failed allocation of NCCL")
          .asConsequence();

  private static final MessageKind PEER =
      MessageKind.notice(
              "nccl-peer",
              Memory.NONE,
              "NCCL",
              "an error of NCCL, which lost a peer or waited for it")
          .asConsequence();

  private static final Pattern FULL =
      Pattern.compile("/dev/shm/nccl-[^\\n]{1,120}No space left on device");

  /** Buffers between processes of one host are in its shared memory. */
  private static final MessageKind SHARED =
      MessageKind.failure(
          "nccl-shared-memory",
          Memory.HOST,
          "NCCL",
          "a segment of shared memory that NCCL could not create");

  @Override
  public String name() {
    return "NCCL";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                NCCL,
                "(?:\\[[0-9]{1,3}\\] \\S{1,100} )?NCCL WARN Cuda failure [0-9 ]{0,4}'?out of"
                    + " memory",
                "NCCL WARN Cuda failure")
            .part("NCCL WARN Failed to CUDA (?:calloc|malloc|alloc)", "NCCL WARN Failed to CUDA")
            .words(FieldName.DEVICE, "\\[([0-9]{1,3})\\] \\S{1,100} NCCL WARN")
            .bytes(FieldName.REQUESTED, "Failed to CUDA [a-z]{4,8} " + SIZE),
        MessageForm.of(
                SHARED,
                "failed to extend /dev/shm/nccl-\\S{1,40}|creating shared memory segment"
                    + " /dev/shm/nccl-\\S{1,40}",
                "failed to extend /dev/shm",
                "shared memory segment /dev/shm")
            .bytes(FieldName.REQUESTED, "/dev/shm/nccl-\\S{1,40} (?:to|\\(size) " + BYTES),
        MessageForm.of(
            PEER,
            "NCCL error: remote process exited|ncclRemoteError: |Connection closed by remote peer"
                + "|Watchdog caught collective operation timeout|Watchdog caught exception",
            "remote process exited",
            "ncclRemoteError: ",
            "closed by remote peer",
            "Watchdog caught "));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "gpu07:3211:3400 [2] include/alloc.h:99 NCCL WARN Cuda failure 2 'out of memory'\n"
            + "gpu07:3211:3400 [2] include/alloc.h:103 NCCL WARN Failed to CUDA calloc 10485760"
            + " bytes",
        "gpu07:405:613 [1] misc/shmutils.cc:88 NCCL WARN Error: failed to extend"
            + " /dev/shm/nccl-q8TzLm to 9637892 bytes, error: No space left on device (28)",
        "[rank2]:[E730 11:02:47.118 ProcessGroupNCCL.cpp:1785] [Rank 2] Watchdog caught collective"
            + " operation timeout: WorkNCCL(SeqNum=410, OpType=ALLREDUCE) ran for 600012"
            + " milliseconds");
  }

  @Override
  public Optional<LogFailure> failureOf(LogMessage message, List<LogFailure> failures) {
    return message.kind() != SHARED
        ? Optional.empty()
        : failures.reversed().stream()
            .filter(failure -> failure.first().kind() == SHARED)
            .findFirst();
  }

  private static Conclusion.Builder shared(
      Conclusion.Builder conclusion, LogMessage message, LogContext context) {
    boolean isFull = context.has(FULL);
    return conclusion
        .headline(
            "NCCL could not create a segment"
                + message.ofRequested()
                + " of shared memory (/dev/shm of the host or container), not of the GPU’s memory"
                + (isFull ? ": it is full." : "."))
        .certain(
            "The processes of one host exchange data through /dev/shm, which is a part of the"
                + " host’s memory. "
                + (isFull ? "“No space left on device” means that file system, no disk. " : "")
                + context
                    .numbers()
                    .quantity(FieldName.SHARED_MEMORY)
                    .map(size -> "It has " + Amounts.text(size) + " here.")
                    .orElse("A container has 64 MB of it by default."))
        .likely("The other ranks of this host meet the same error, or lose this rank as a peer.")
        .remedy(
            "Give the container more shared memory, or that of the host.",
            "docker run --shm-size=1g …  # or --ipc=host; Kubernetes: emptyDir {medium: Memory} at"
                + " /dev/shm")
        .remedy(
            "Remove files that earlier runs have left there, and that no process uses.",
            "fuser -v /dev/shm/nccl-*")
        .remedy("Or let NCCL do without shared memory, more slowly.", "NCCL_SHM_DISABLE=1")
        .next(new Advice("See how large /dev/shm is and who uses it.", "df -h /dev/shm"));
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    if (message.kind() == PEER) {
      return conclusion
          .headline("NCCL lost a peer, or waited for it too long: another process ended first.")
          .certain(
              "This line says nothing about memory; it follows from what ended the other process.")
          .unknown("Why the other process ended.")
          .next(
              new Advice(
                  "Look for the first exception in the logs of the other ranks, and for a kill in"
                      + " the kernel’s log.",
                  "grep -n -m1 -A20 Traceback rank*.log"))
          .build();
    }
    if (message.kind() == SHARED) {
      return shared(conclusion, message, context).build();
    }
    String size = message.ofRequested();
    String device = message.onGpu();
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
    return conclusion.build();
  }
}
