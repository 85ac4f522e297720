package dev.vramscope.explain.library;

import static dev.vramscope.explain.message.Amounts.text;
import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.FieldName;
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

/** CuPy's memory pool. */
public final class CuPy implements MessageProducer {
  /** A failed request. */
  public static final MessageKind CUPY =
      MessageKind.failure(
          "cupy", Memory.DEVICE, "CuPy’s memory pool", "a failed request of CuPy’s memory pool");

  private static final int MANY_TIMES = 10;

  @Override
  public String name() {
    return "CuPy";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                CUPY,
                "Out of memory allocating -?[0-9][0-9,.]{0,25} ?[A-Za-z]{1,5} \\(allocated",
                "Out of memory allocating")
            .bytes(FieldName.REQUESTED, "allocating " + SIZE)
            .bytes(FieldName.ALLOCATED, "allocated so far: " + SIZE)
            .bytes(FieldName.LIMIT, "limit set to: " + SIZE));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 8,000,000,000 bytes (allocated"
            + " so far: 4,000,000,512 bytes).");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    String size = message.ofRequested();
    Optional<Quantity> allocated = message.quantity(FieldName.ALLOCATED);
    conclusion.headline("CuPy’s memory pool could not serve a request" + size + ".");
    allocated.ifPresent(
        bytes ->
            conclusion.certain(
                "The pool had allocated "
                    + text(bytes)
                    + " from the driver before, including what is free inside the pool."));
    message
        .quantity(FieldName.LIMIT)
        .ifPresentOrElse(
            limit -> conclusion.certain("The pool is limited to " + text(limit) + "."),
            () -> conclusion.unknown("Whether the pool has a limit, and how large the device is."));
    if (isLarge(message)) {
      conclusion
          .certain(
              "The request is one array, and much larger than all that the pool held: what is free"
                  + " inside the pool does not matter. A device with less memory than "
                  + message.quantity(FieldName.REQUESTED).map(each -> text(each)).orElse("that")
                  + " can never hold it.")
          .remedy(
              "Compute it in parts that fit, for example over slices of the first operand: an"
                  + " operation that combines each row with each other row (broadcasting) makes an"
                  + " array of all pairs.",
              "");
      return conclusion.next(CollectionAdvice.PROCESSES).build();
    }
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
    return conclusion.build();
  }

  /** Whether the request is many times all that the pool has allocated. */
  private static boolean isLarge(LogMessage message) {
    Optional<Quantity> requested = message.quantity(FieldName.REQUESTED);
    Optional<Quantity> allocated = message.quantity(FieldName.ALLOCATED);
    return requested.isPresent()
        && allocated.isPresent()
        && message.quantity(FieldName.LIMIT).isEmpty()
        && requested.get().bytes() / MANY_TIMES > allocated.get().bytes();
  }
}
