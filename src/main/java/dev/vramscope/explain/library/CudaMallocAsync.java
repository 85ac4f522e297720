package dev.vramscope.explain.library;

import static dev.vramscope.explain.message.Amounts.text;
import static dev.vramscope.explain.reading.MessageForm.BYTES;

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

/** XLA and TensorFlow with the driver's own allocator (TF_GPU_ALLOCATOR=cuda_malloc_async). */
public final class CudaMallocAsync implements MessageProducer {
  private static final MessageKind REFUSED =
      MessageKind.failure(
          "xla-cuda-malloc-async",
          Memory.DEVICE,
          "The driver’s allocator (cuda_malloc_async)",
          "a failed request of XLA or TensorFlow with cuda_malloc_async");

  @Override
  public String name() {
    return "cuda_malloc_async of XLA and TensorFlow";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                REFUSED,
                "cuMemAllocAsync failed to allocate [0-9]{1,20}",
                "cuMemAllocAsync failed to allocate")
            .part(
                "Reported by CUDA: Free memory/Total"
                    + " memory|gpu_cudamallocasync_allocator\\.cc:[0-9]{1,5}\\] Stats: Limit:",
                "Reported by CUDA: Free memory",
                "Stats: Limit:")
            .bytes(FieldName.REQUESTED, "failed to allocate " + BYTES)
            .bytes(FieldName.FREE, "Total memory: " + BYTES)
            .bytes(FieldName.TOTAL, "Total memory: [^/]{1,24}/" + BYTES)
            .bytes(FieldName.IN_USE, "\\bInUse: " + BYTES)
            .bytes(FieldName.LARGEST_ALLOCATION, "MaxAllocSize: " + BYTES));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "gpu_cudamallocasync_allocator.cc:361] gpu_async_0 cuMemAllocAsync failed to allocate"
            + " 874878001152 bytes: RESOURCE_EXHAUSTED: : CUDA_ERROR_OUT_OF_MEMORY: out of memory\n"
            + " Reported by CUDA: Free memory/Total memory: 19660800000/84974239744");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Optional<Quantity> requested = message.quantity(FieldName.REQUESTED);
    Optional<Quantity> total = message.quantity(FieldName.TOTAL);
    Optional<Quantity> free = message.quantity(FieldName.FREE);
    Optional<Quantity> inUse = message.quantity(FieldName.IN_USE);
    Conclusion.Builder conclusion =
        new Conclusion.Builder(message)
            .headline(
                "The driver’s allocator (cuda_malloc_async) could not serve a request"
                    + requested.map(Amounts::text).map(" of "::concat).orElse("")
                    + ".");
    boolean isLarger =
        requested.isPresent()
            && total.isPresent()
            && Amounts.isSurelyMore(requested.get(), total.get());
    if (isLarger) {
      conclusion
          .certain(
              "The request is "
                  + Math.round(10.0 * requested.get().bytes() / total.get().bytes()) / 10.0
                  + " times the whole GPU, which has "
                  + text(total.get())
                  + ": it cannot succeed, whatever else is in use.")
          .likely(
              "One array has this size: a shape is wrong or too long, or the array should have been"
                  + " sharded.")
          .remedy(
              "Look at what makes one array of this size: the length, the batch, a product of two"
                  + " large dimensions, a missing sharding.",
              "print(jax.make_jaxpr(f)(*args))");
    } else if (requested.isPresent() && free.isPresent()) {
      conclusion.certain(
          text(free.get())
              + " were free on the GPU"
              + (Amounts.isSurelyMore(requested.get(), free.get())
                  ? ", less than the request."
                  : "; the driver’s pool may need it in one piece."));
      conclusion
          .remedy("Use a smaller batch or shorter inputs, or shard the largest arrays.", "")
          .next(CollectionAdvice.JAX_PROFILE);
    }
    message
        .quantity(FieldName.LARGEST_ALLOCATION)
        .filter(largest -> inUse.isPresent() && largest.bytes() > inUse.get().bytes() / 2)
        .ifPresent(
            largest ->
                conclusion.certain(
                    "One allocation of "
                        + text(largest)
                        + " was most of the "
                        + text(inUse.get())
                        + " in use at the largest moment."));
    conclusion.total(total);
    conclusion.share(Share.Kind.ALLOCATED, "In use by this program", inUse);
    conclusion.share(Share.Kind.FREE, "Free on the device", free);
    return conclusion
        .unknown("Which operation asked for it, and what holds the rest.")
        .next(new Advice("Look at the stack of the exception, and print the shapes there.", ""))
        .build();
  }
}
