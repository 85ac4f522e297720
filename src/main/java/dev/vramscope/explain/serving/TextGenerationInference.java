package dev.vramscope.explain.serving;

import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;

/** Hugging Face's text-generation-inference: its warm-up. */
public final class TextGenerationInference implements MessageProducer {
  private static final MessageKind WARM_UP =
      MessageKind.failure(
          "tgi-warm-up",
          Memory.DEVICE,
          "text-generation-inference",
          "a failed warm-up of text-generation-inference");

  private static final FieldName PREFILL = new FieldName("prefill-tokens", "Tokens of a prefill");
  private static final FieldName TOTAL_TOKENS = new FieldName("total-tokens", "Tokens of a batch");

  @Override
  public String name() {
    return "text-generation-inference (TGI)";
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                WARM_UP,
                "Not enough memory to handle [0-9]{1,9} (?:prefill|total|generated)? ?tokens",
                "Not enough memory to handle")
            .words(PREFILL, "(?:handle|with) ([0-9]{1,9}) prefill tokens")
            .words(TOTAL_TOKENS, "handle ([0-9]{1,9}) total tokens"));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "Server error: Not enough memory to handle 16384 prefill tokens. You need to decrease"
            + " `--max-batch-prefill-tokens`");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Optional<String> prefill = message.written(PREFILL);
    Optional<String> all = message.written(TOTAL_TOKENS);
    Conclusion.Builder conclusion =
        new Conclusion.Builder(message)
            .headline(
                "text-generation-inference did not start: the GPU had not enough memory for a batch"
                    + prefill.map(tokens -> " with a prefill of " + tokens + " tokens").orElse("")
                    + all.map(tokens -> " of " + tokens + " tokens in all").orElse("")
                    + ".")
            .certain(
                "It failed in the warm-up, which runs the largest batch that the settings allow, so"
                    + " that it cannot fail later.")
            .remedy(
                "Allow fewer tokens in a prefill. --max-input-length may not be larger than it.",
                "--max-batch-prefill-tokens "
                    + prefill.map(tokens -> Long.parseLong(tokens) / 2).orElse(4096L));
    if (all.isPresent()) {
      conclusion.remedy(
          "Or allow fewer tokens in a batch.",
          "--max-batch-total-tokens " + Long.parseLong(all.get()) / 2);
    }
    return conclusion
        .unknown(
            "How much memory the GPU has, and how much of it the weights and the prefill need.")
        .build();
  }
}
