package dev.vramscope.explain.xla;

import static dev.vramscope.explain.message.Amounts.text;
import static dev.vramscope.explain.reading.MessageForm.BYTES;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** What XLA's compiler, JAX and TensorFlow say about memory without a request that failed. */
public final class XlaNotices implements MessageProducer {
  private static final MessageKind REMATERIALIZATION =
      MessageKind.warning(
          "xla-rematerialization", Memory.DEVICE, "XLA", "a warning of XLA’s compiler");

  private static final MessageKind CONSTANT =
      MessageKind.failure(
          "xla-constant", Memory.DEVICE, "XLA", "a constant for which XLA had no memory");

  private static final MessageKind DONATION =
      MessageKind.warning(
          "jax-donation", Memory.DEVICE, "JAX", "a warning of JAX about donated arguments");

  private static final MessageKind COLLECTION =
      MessageKind.notice(
          "tf-region-collection",
          Memory.DEVICE,
          "TensorFlow",
          "a notice of TensorFlow’s allocator about its regions");

  private static final FieldName REDUCED =
      new FieldName("reduced", "Needed after rematerialization");
  private static final FieldName ORIGINAL = new FieldName("original", "Needed before it");

  @Override
  public String name() {
    return "XLA’s compiler, JAX and TensorFlow (warnings)";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                REMATERIALIZATION,
                "Can't reduce memory use below [0-9.]{1,20}[KMGT]?i?B?",
                "Can't reduce memory use below")
            .bytes(FieldName.LIMIT, "below [0-9.]{1,20}[KMGT]?i?B \\(" + BYTES)
            .otherwise(FieldName.LIMIT, "reduce memory use below " + BYTES)
            .bytes(REDUCED, "only reduced to [0-9.]{1,20}[KMGT]?i?B \\(" + BYTES)
            .otherwise(REDUCED, "only reduced to " + BYTES)
            .bytes(ORIGINAL, "down from [0-9.]{1,20}[KMGT]?i?B \\(" + BYTES)
            .otherwise(ORIGINAL, "down from " + BYTES),
        MessageForm.of(
                CONSTANT,
                "Failed to allocate [0-9.]{1,20} ?[A-Za-z]{1,5} for new constant",
                " for new constant")
            .bytes(FieldName.REQUESTED, "Failed to allocate " + BYTES),
        MessageForm.of(
                DONATION, "Some donated buffers were not usable", "donated buffers were not usable")
            .words(FieldName.SHAPE, "not usable: ([A-Za-z]{1,30}\\([^)]{1,200}\\))"),
        MessageForm.of(
            COLLECTION,
            "Garbage collection: deallocate free memory regions",
            "deallocate free memory regions"));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "hlo_rematerialization.cc:3183] Can't reduce memory use below 16.00GiB (17179869184 bytes)"
            + " by rematerialization; only reduced to 38.00GiB (40802189312 bytes), down from"
            + " 40.15GiB (43112345600 bytes) originally",
        "RESOURCE_EXHAUSTED: Failed to allocate 8589934592 bytes for new constant",
        "UserWarning: Some donated buffers were not usable: ShapedArray(float32[1024,1024]).",
        "bfc_allocator.cc:290] Garbage collection: deallocate free memory regions (i.e.,"
            + " allocations) so that we can re-allocate a larger region to avoid OOM due to memory"
            + " fragmentation.");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    MessageKind kind = message.kind();
    if (kind == REMATERIALIZATION) {
      rematerialization(message, conclusion);
    } else if (kind == CONSTANT) {
      constant(message, conclusion);
    } else if (kind == DONATION) {
      conclusion
          .headline("JAX could not reuse the memory of arguments that were donated.")
          .certain(
              "This is a warning: the program runs, but the old arrays and the new ones are there"
                  + " at the same time, as without donation"
                  + message.written(FieldName.SHAPE).map(shape -> " (" + shape + ")").orElse("")
                  + ".")
          .likely(
              "No output has the shape and type of the donated argument, or the backend does not"
                  + " support donation.")
          .remedy(
              "Donate only arguments that the function returns with the same shape and type, such"
                  + " as parameters and optimizer state.",
              "jax.jit(train_step, donate_argnums=(0,))");
    } else {
      conclusion
          .headline("TensorFlow’s allocator gives unused regions back to form a larger one.")
          .certain(
              "This is a notice: nothing failed. The program is near the size of the GPU, and"
                  + " acquiring regions again costs time.")
          .remedy("If it appears often, use a smaller batch and compare the time of a step.", "");
    }
    return conclusion.build();
  }

  private static void rematerialization(LogMessage message, Conclusion.Builder conclusion) {
    Optional<Quantity> limit = message.quantity(FieldName.LIMIT);
    Optional<Quantity> reduced = message.quantity(REDUCED);
    conclusion
        .headline(
            "XLA’s compiler warns that a program needs "
                + reduced.map(Amounts::text).orElse("more")
                + ", more than its limit of "
                + limit.map(Amounts::text).orElse("memory")
                + ".")
        .certain(
            "This is a warning of the compiler: nothing has failed yet. Computing values again"
                + " (rematerialization) saved what it could"
                + message.quantity(ORIGINAL).map(bytes -> ", from " + text(bytes)).orElse("")
                + reduced.map(bytes -> " to " + text(bytes)).orElse("")
                + ".")
        .likely(
            "The program will fail when it runs, unless the device has more than the limit, which"
                + " is a part of its memory.")
        .remedy(
            "Make the program smaller: a smaller batch or shorter inputs, the largest arrays"
                + " sharded over more devices, or checkpoints where it trains.",
            "")
        .next(CollectionAdvice.JAX_ANALYSIS);
  }

  private static void constant(LogMessage message, Conclusion.Builder conclusion) {
    conclusion
        .headline(
            "XLA had no memory for a constant"
                + message
                    .quantity(FieldName.REQUESTED)
                    .map(Amounts::text)
                    .map(" of "::concat)
                    .orElse("")
                + " of a compiled program.")
        .certain(
            "Constants are part of the program: each compiled program has its own copy, besides the"
                + " array itself.")
        .likely(
            "A large array, such as the parameters, is used inside a jitted function without being"
                + " its argument (a closure, or a global).")
        .remedy(
            "Pass the array as an argument of the jitted function.",
            "jax.jit(f)(params, x)  # not: jax.jit(lambda x: f(params, x))(x)")
        .unknown("How much memory was free, and what holds the rest.")
        .next(CollectionAdvice.JAX_PROFILE);
  }
}
