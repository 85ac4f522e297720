package dev.vramscope.explain.serving;

import static dev.vramscope.explain.message.Amounts.text;
import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Facts;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;

/**
 * SGLang: what it checks before it serves, and the notices of its scheduler. Its requests to the
 * GPU are PyTorch's.
 */
public final class SgLang implements MessageProducer {
  private static final String NAME = "SGLang";

  private static final MessageKind RETRACTED =
      MessageKind.notice("sglang-retracted", Memory.DEVICE, NAME, "a notice of SGLang’s scheduler");

  private static final MessageKind NO_POOL =
      MessageKind.failure(
          "sglang-no-pool", Memory.DEVICE, NAME, "a check of SGLang before it serves");

  private static final MessageKind UNBALANCED =
      MessageKind.failure(
          "sglang-unbalanced", Memory.DEVICE, NAME, "a check of SGLang before it serves");

  private static final MessageKind POOL_FULL =
      MessageKind.failure(
          "sglang-pool-full", Memory.DEVICE, NAME, "a request for which SGLang’s pool was full");

  private static final MessageKind START =
      MessageKind.context(
          "sglang-start", Memory.DEVICE, NAME, "what SGLang says of itself while it starts");

  private static final FieldName REQUESTS = new FieldName("requests", "Requests sent back");
  private static final FieldName TOKENS = new FieldName("tokens", "Tokens asked for");
  private static final FieldName FREE_TOKENS = new FieldName("free-tokens", "Tokens free");
  private static final FieldName SHARE = new FieldName("mem-fraction", "Share that was set");
  private static final FieldName LEAST_SHARE = new FieldName("least-share", "Least share");
  private static final FieldName WEIGHTS = new FieldName("weights", "Weights of the model");
  private static final FieldName AVAILABLE_BEFORE =
      new FieldName("available-before-weights", "Free before the weights are loaded");
  private static final FieldName AVAILABLE_AFTER =
      new FieldName("available-after-weights", "Free after the weights were loaded");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
                RETRACTED,
                "(?:Decode out of memory happened|KV cache pool is full)\\.",
                "Decode out of memory happened",
                "KV cache pool is full")
            .words(REQUESTS, "#retracted_reqs: ([0-9]{1,6})"),
        MessageForm.of(
                NO_POOL,
                "Not enough memory\\.? [^.]{0,80}?--mem-fraction-static"
                    + "|weights leave no (?:GPU )?memory for the KV cache",
                "--mem-fraction-static",
                "for the KV cache")
            .words(SHARE, "under --mem-fraction-static=([0-9.]{1,8})")
            .words(LEAST_SHARE, "above ([0-9]\\.[0-9]{1,6})"),
        MessageForm.of(
            UNBALANCED, "The memory capacity is unbalanced", "The memory capacity is unbalanced"),
        MessageForm.of(
                POOL_FULL,
                "(?:Prefill|Decode) out of memory\\. (?:Try to|Please)",
                "Prefill out of memory.",
                "Decode out of memory.")
            .words(TOKENS, "Try to allocate ([0-9]{1,9}) tokens")
            .words(FREE_TOKENS, "Ava[il]{1,3}able tokens: ([0-9]{1,9})"),
        MessageForm.of(START, "(?!)")
            .part(
                "Load weight (?:begin|end)\\.|Memory pool end\\.|KV Cache is allocated\\."
                    + "|mem_fraction_static=[0-9]",
                "Load weight ",
                "Memory pool end.",
                "KV Cache is allocated",
                "mem_fraction_static=")
            .bytes(AVAILABLE_BEFORE, "Load weight begin\\. avail mem=" + SIZE)
            .bytes(AVAILABLE_AFTER, "Load weight end\\..{0,80}?avail mem=" + SIZE)
            .bytes(WEIGHTS, "Load weight end\\..{0,160}?mem usage=" + SIZE)
            .words(
                new FieldName("mem-fraction-static", "mem_fraction_static"),
                "mem_fraction_static=([0-9.]{1,8})"));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "[2025-04-02 11:03:09 TP4] Decode out of memory happened. #retracted_reqs: 2,"
            + " #new_token_ratio: 0.1620 -> 0.2013",
        "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.",
        "ValueError: The memory capacity is unbalanced. Some GPUs may be occupied by other"
            + " processes.",
        "RuntimeError: Prefill out of memory. Try to lower your batch size. Try to allocate 8192"
            + " tokens. Available tokens: 3011",
        "[2025-05-30 10:22:03 TP0] Load weight begin. avail mem=15.21 GB");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    MessageKind kind = message.kind();
    if (kind == RETRACTED) {
      conclusion
          .headline("SGLang sent requests back to its queue because its KV cache was full.")
          .certain(
              "This is a notice of the scheduler, not a failure: the requests are computed again"
                  + " later, and the server goes on. It is the token pool of the KV cache that was"
                  + " full, whose size SGLang has set itself.")
          .remedy(
              "If it happens often, throughput suffers: run fewer requests at once, or schedule"
                  + " more conservatively.",
              "--max-running-requests 64 --schedule-conservativeness 1.3");
    } else if (kind == NO_POOL) {
      Facts before = context.numbers().before(message.line());
      conclusion
          .headline(
              "SGLang had no memory left for its KV cache within its share of the GPU, and did not"
                  + " start.")
          .certain(
              "This is a check of SGLang’s own budget: mem_fraction_static"
                  + message.written(SHARE).map(share -> " (" + share + ")").orElse("")
                  + " of the GPU has to hold the weights and the KV cache, and the weights"
                  + before.quantity(WEIGHTS).map(bytes -> ", " + text(bytes) + ",").orElse("")
                  + " left nothing of it. No allocation failed.")
          .remedy(
              "Raise --mem-fraction-static"
                  + message.written(LEAST_SHARE).map(least -> " above " + least).orElse("")
                  + ", if the GPU has more; activations and CUDA graphs need what is left.",
              "--mem-fraction-static 0.9")
          .remedy("Or use quantized weights or more GPUs.", "--tp-size 2");
    } else if (kind == UNBALANCED) {
      conclusion
          .headline("SGLang did not start: a GPU had less free memory than the others.")
          .certain("This is a check before it loads the model; no allocation failed.")
          .likely("Another process holds memory on one of the GPUs, often one of an earlier run.")
          .remedy("Find out who holds the memory, and end it.", "nvidia-smi")
          .next(CollectionAdvice.PROCESSES);
    } else if (kind == POOL_FULL) {
      poolFull(message, conclusion);
    } else {
      start(new Facts(failure), conclusion);
    }
    return conclusion.build();
  }

  private static void poolFull(LogMessage message, Conclusion.Builder conclusion) {
    conclusion
        .headline("SGLang’s KV cache had no room for a request.")
        .certain(
            "It is the token pool of the KV cache, whose size SGLang has set itself, not a request"
                + " to the GPU"
                + message
                    .written(TOKENS)
                    .map(tokens -> ": " + tokens + " tokens were asked for")
                    .orElse("")
                + message
                    .written(FREE_TOKENS)
                    .map(tokens -> ", " + tokens + " were free")
                    .orElse("")
                + ".")
        .remedy(
            "Run fewer requests at once, or prefill in smaller pieces.",
            "--max-running-requests 64 --chunked-prefill-size 2048")
        .remedy("Or give the pool a larger share of the GPU.", "--mem-fraction-static 0.9");
  }

  private static void start(Facts facts, Conclusion.Builder conclusion) {
    conclusion.headline(
        "SGLang started"
            + facts
                .quantity(AVAILABLE_BEFORE)
                .map(bytes -> ": " + text(bytes) + " were free before the weights were loaded")
                .orElse("")
            + facts.quantity(AVAILABLE_AFTER).map(bytes -> ", " + text(bytes) + " after").orElse("")
            + ".");
  }
}
