package dev.vramscope.explain.library;

import static dev.vramscope.explain.reading.MessageForm.BYTES;

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

/** XGBoost on GPUs. */
public final class XgBoost implements MessageProducer {
  private static final MessageKind XGBOOST =
      MessageKind.failure("xgboost", Memory.DEVICE, "XGBoost", "a failed request of XGBoost");

  @Override
  public String name() {
    return "XGBoost";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                XGBOOST,
                "Memory allocation error on worker [0-9]",
                "Memory allocation error on worker")
            .part("- (?:Free|Requested) memory: [0-9]", "- Free memory: ", "- Requested memory: ")
            .bytes(FieldName.FREE, "- Free memory: " + BYTES)
            .bytes(FieldName.REQUESTED, "- Requested memory: " + BYTES));
  }

  @Override
  public List<String> examples() {
    return List.of(
        """
        device_helpers.cuh:431: Memory allocation error on worker 0: bad_alloc: out of memory
        - Free memory: 20971520
        - Requested memory: 9663676416\
        """);
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    conclusion.headline(
        "XGBoost got no memory from the driver for a request" + message.ofRequested() + ".");
    message
        .quantity(FieldName.FREE)
        .ifPresent(free -> conclusion.certain("The GPU had " + Amounts.text(free) + " free."));
    return conclusion
        .unknown("Who holds the rest: XGBoost itself, or other programs on the GPU.")
        .remedy(
            "Build the quantized matrix from batches, with fewer bins, so that the whole data is"
                + " never on the GPU at once.",
            "xgboost.QuantileDMatrix(iterator, max_bin=128)")
        .remedy(
            "Or keep the data on the host and stream it.",
            "xgboost.ExtMemQuantileDMatrix(iterator)")
        .next(CollectionAdvice.PROCESSES)
        .build();
  }
}
