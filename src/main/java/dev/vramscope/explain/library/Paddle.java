package dev.vramscope.explain.library;

import static dev.vramscope.explain.reading.MessageForm.SIZE;

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
import dev.vramscope.explain.producer.Share;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** PaddlePaddle's allocators. */
public final class Paddle implements MessageProducer {
  private static final MessageKind PADDLE =
      MessageKind.failure(
          "paddle",
          Memory.DEVICE,
          "PaddlePaddle’s allocator",
          "a failed request of PaddlePaddle’s allocator");

  private static final FieldName DEVICE_USED =
      new FieldName("device-used", "In use on the device, by all");

  @Override
  public String name() {
    return "PaddlePaddle";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                PADDLE,
                "(?:Out of memory error on GPU [0-9]{1,3}\\. )?Cannot allocate -?[0-9][0-9.,]{0,25}"
                    + " ?[A-Za-z]{1,5} memory on GPU",
                "Cannot allocate ")
            .words(FieldName.DEVICE, "memory on GPU ([0-9]{1,3})")
            .bytes(FieldName.REQUESTED, "Cannot allocate " + SIZE)
            .bytes(DEVICE_USED, "memory on GPU [0-9]{1,3}, " + SIZE + " memory has been allocated")
            .bytes(FieldName.FREE, "available memory is only " + SIZE));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "Out of memory error on GPU 3. Cannot allocate 2.250000GB memory on GPU 3, 30.414062GB"
            + " memory has been allocated and available memory is only 1.328125GB.");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    Optional<Quantity> free = message.quantity(FieldName.FREE);
    Optional<Quantity> used = message.quantity(DEVICE_USED);
    conclusion.headline(
        "PaddlePaddle’s allocator could not serve a request"
            + message.ofRequested()
            + message.onGpu()
            + ".");
    free.ifPresent(
        bytes ->
            conclusion.certain(
                "The device had "
                    + Amounts.text(bytes)
                    + " free"
                    + used.map(all -> "; " + Amounts.text(all) + " were in use").orElse("")
                    + ". That is the use of all processes, not of this one alone."));
    conclusion
        .sharesTitle("The device")
        .share(Share.Kind.OUTSIDE, "In use, by all processes", used)
        .share(Share.Kind.FREE, "Free", free)
        .unknown("How much of it this program holds, and what for.")
        .remedy(
            "Let the program hold less: a smaller batch, or activations that are computed again"
                + " (recompute).",
            "paddle.distributed.fleet.utils.recompute(function, *args)")
        .next(CollectionAdvice.PROCESSES);
    return conclusion.build();
  }
}
