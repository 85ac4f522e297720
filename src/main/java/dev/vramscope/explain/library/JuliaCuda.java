package dev.vramscope.explain.library;

import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.producer.Share;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** CUDA.jl, Julia's package for NVIDIA's GPUs. */
public final class JuliaCuda implements MessageProducer {
  private static final MessageKind JULIA =
      MessageKind.failure("julia", Memory.DEVICE, "CUDA.jl", "a failed request of CUDA.jl");

  private static final FieldName DEVICE_USED = new FieldName("device-used", "In use on the device");
  private static final FieldName POOL_USED = new FieldName("pool-used", "In use in the pool");

  @Override
  public String name() {
    return "CUDA.jl (Julia)";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(JULIA, "Out of GPU memory\\b", "Out of GPU memory")
            .bytes(FieldName.REQUESTED, "trying to allocate " + SIZE)
            .bytes(DEVICE_USED, "GPU memory usage: [0-9.]{1,8}% \\(" + SIZE)
            .bytes(
                FieldName.TOTAL,
                "GPU memory usage: [0-9.]{1,8}% \\([0-9.]{1,12} [A-Za-z]{1,5}/" + SIZE)
            .bytes(POOL_USED, "pool usage: " + SIZE)
            .bytes(
                FieldName.RESERVED,
                "pool usage: [0-9.]{1,12} [A-Za-z]{1,5} \\(" + SIZE + " reserved"));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "ERROR: Out of GPU memory trying to allocate 3.725 GiB\nEffective GPU memory usage: 91.20%"
            + " (21.609 GiB/23.694 GiB)\nMemory pool usage: 20.117 GiB (20.844 GiB reserved)");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    Optional<Quantity> requested = message.quantity(FieldName.REQUESTED);
    Optional<Quantity> total = message.quantity(FieldName.TOTAL);
    Optional<Quantity> live = message.quantity(POOL_USED);
    Optional<Quantity> reserved = message.quantity(FieldName.RESERVED);
    Optional<Quantity> used = message.quantity(DEVICE_USED);
    conclusion.headline("CUDA.jl could not serve a request" + message.ofRequested() + ".");
    boolean isTooLarge =
        requested.isPresent()
            && total.isPresent()
            && requested.get().leastBytes() > total.get().mostBytes();
    if (isTooLarge) {
      conclusion.certain(
          "The request is larger than the whole GPU, which has "
              + Amounts.text(total.get())
              + ": it could not be served if nothing else were in use.");
    } else if (used.isPresent() && total.isPresent()) {
      conclusion.certain(
          Amounts.text(used.get())
              + " of the GPU’s "
              + Amounts.text(total.get())
              + " were in use"
              + live.map(bytes -> ", " + Amounts.text(bytes) + " of it by arrays of this program")
                  .orElse("")
              + ".");
    }
    conclusion
        .total(total)
        .share(Share.Kind.ALLOCATED, "Arrays of this program", live)
        .share(Share.Kind.UNALLOCATED, "Unused in its pool", Amounts.minus(reserved, live))
        .share(Share.Kind.OUTSIDE, "Outside its pool", Amounts.minus(used, reserved))
        .share(Share.Kind.FREE, "Free", Amounts.minus(total, used))
        .remedy(
            "Use smaller arrays: compute in parts, with Float16 or Float32 elements, or in place.",
            "");
    if (!isTooLarge) {
      conclusion.remedy(
          "Free arrays that are no longer needed at once; the garbage collector does not know how"
              + " much memory of the GPU they hold.",
          "CUDA.unsafe_free!(a); GC.gc(true); CUDA.reclaim()");
    }
    return conclusion
        .unknown("Which arrays hold the memory.")
        .next(new Advice("Print what the pool holds.", "CUDA.pool_status()"))
        .next(CollectionAdvice.PROCESSES)
        .build();
  }
}
