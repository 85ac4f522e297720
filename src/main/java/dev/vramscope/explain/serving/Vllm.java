package dev.vramscope.explain.serving;

import static dev.vramscope.explain.message.Amounts.text;
import static dev.vramscope.explain.reading.MessageForm.SIZE;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.message.FieldName;
import dev.vramscope.explain.message.LogFailure;
import dev.vramscope.explain.message.LogMessage;
import dev.vramscope.explain.message.Memory;
import dev.vramscope.explain.message.MessageKind;
import dev.vramscope.explain.producer.CollectionAdvice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.explain.producer.Facts;
import dev.vramscope.explain.producer.LogContext;
import dev.vramscope.explain.producer.MessageProducer;
import dev.vramscope.explain.producer.Share;
import dev.vramscope.explain.reading.MessageForm;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * vLLM: what it checks before it serves, and the notices of its scheduler. Its requests to the GPU
 * are PyTorch's.
 */
public final class Vllm implements MessageProducer {
  private static final String NAME = "vLLM";

  private static final MessageKind NO_BLOCKS =
      MessageKind.failure(
          "vllm-no-cache-blocks", Memory.DEVICE, NAME, "a check of vLLM before it serves");

  private static final MessageKind CACHE_TOO_SMALL =
      MessageKind.failure(
          "vllm-cache-too-small", Memory.DEVICE, NAME, "a check of vLLM before it serves");

  private static final MessageKind FREE_AT_START =
      MessageKind.failure(
          "vllm-free-at-start", Memory.DEVICE, NAME, "a check of vLLM before it serves");

  private static final MessageKind MEASURED_WRONGLY =
      MessageKind.failure(
          "vllm-profiling", Memory.DEVICE, NAME, "a check of vLLM while it measures the memory");

  private static final MessageKind WARM_UP =
      MessageKind.failure(
          "vllm-warm-up", Memory.DEVICE, NAME, "a failed request of vLLM while it warms up");

  private static final MessageKind PREEMPTED =
      MessageKind.notice("vllm-preempted", Memory.DEVICE, NAME, "a notice of vLLM’s scheduler");

  private static final MessageKind START =
      MessageKind.context(
          "vllm-start", Memory.DEVICE, NAME, "what vLLM says of itself while it starts");

  private static final FieldName WEIGHTS = new FieldName("weights", "Weights of the model");
  private static final FieldName CACHE = new FieldName("kv-cache", "KV cache");
  private static final FieldName NEEDED = new FieldName("kv-cache-needed", "KV cache needed");
  private static final FieldName LENGTH = new FieldName("length", "Longest request");
  private static final FieldName FITS =
      new FieldName("length-that-fits", "Longest request that fits");
  private static final FieldName DESIRED =
      new FieldName("desired", "Share of the GPU that is asked for");
  private static final FieldName ACTIVATIONS =
      new FieldName("activations", "Activations at their peak");
  private static final FieldName REQUESTS = new FieldName("requests", "Requests of the warm-up");
  private static final FieldName PREEMPTIONS = new FieldName("preemptions", "Preemptions so far");
  private static final FieldName UTILIZATION =
      new FieldName("utilization", "gpu_memory_utilization");

  /** What runs before there is a KV cache. */
  private static final Pattern PROFILING =
      Pattern.compile("in (?:determine_available_memory|profile_run)\\b");

  /** Lines between PyTorch's error and the one that is raised from it. */
  private static final int LINES_TO_CAUSE = 100;

  private static final String LARGER = "--gpu-memory-utilization 0.95";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<MessageForm> forms() {
    return List.of(
        MessageForm.of(
            NO_BLOCKS, "No available memory for (?:the )?cache blocks", "No available memory for"),
        MessageForm.of(
                CACHE_TOO_SMALL,
                "To serve at least one request with the models?'?s max seq len \\(?[0-9]",
                "To serve at least one request")
            .words(LENGTH, "max seq len \\(?([0-9,]{1,12})")
            .bytes(NEEDED, SIZE + " KV cache is needed")
            .bytes(CACHE, "available KV cache memory \\(" + SIZE)
            .words(FITS, "estimated maximum model length is ([0-9,]{1,12})"),
        MessageForm.of(
                CACHE_TOO_SMALL,
                "The model'?s max seq len \\([0-9]{1,9}\\) is larger than the maximum number of"
                    + " tokens that can be stored in KV cache",
                "that can be stored in KV cache")
            .words(LENGTH, "max seq len \\(([0-9,]{1,12})\\)")
            .words(FITS, "stored in KV cache \\(([0-9,]{1,12})\\)"),
        MessageForm.of(
                FREE_AT_START,
                "Free memory on device[^(]{0,20}\\([0-9.]{1,12} ?/",
                "Free memory on device")
            .bytes(
                FieldName.FREE,
                "Free memory on device[^(]{0,20}\\(([0-9.]{1,12})(?= ?/ ?[0-9.]{1,12}( ?GiB))")
            .bytes(FieldName.TOTAL, "Free memory on device[^(]{0,20}\\([0-9.]{1,12} ?/ ?" + SIZE)
            .words(UTILIZATION, "GPU memory utilization \\(([0-9.]{1,8})")
            .bytes(DESIRED, "GPU memory utilization \\([0-9.]{1,8}, " + SIZE),
        MessageForm.of(
                MEASURED_WRONGLY,
                "Error in memory profiling\\. Initial free memory",
                "Error in memory profiling")
            .bytes(FieldName.FREE, "Initial free memory " + SIZE)
            .bytes(
                new FieldName("free-later", "Free on the device, later"),
                "urrent free memory " + SIZE),
        MessageForm.of(
                WARM_UP,
                "CUDA out of memory occurred when warming up sampler with [0-9]",
                "occurred when warming up sampler")
            .words(REQUESTS, "sampler with ([0-9,]{1,12}) dummy requests"),
        MessageForm.of(
                PREEMPTED,
                "is preempted by PreemptionMode\\.[A-Z]{1,20} mode because there is not enough KV"
                    + " cache space",
                "not enough KV cache space")
            .words(PREEMPTIONS, "(total_num_cumulative_preemption=[0-9]{1,9})"),
        MessageForm.of(START, "(?!)")
            .part(
                "Initializing an? (?:V1 )?LLM engine|total_gpu_memory \\([0-9]|(?:Model"
                    + " loading|Loading model weights) took [0-9]|Available KV cache memory:"
                    + " [0-9-]|GPU KV cache size: [0-9]|model weights take"
                    + " [0-9]|[Gg]pu[-_]memory[-_]utilization[ =:'\"]{1,3}[0-9]",
                "LLM engine",
                "total_gpu_memory (",
                "odel loading took",
                "oading model weights took",
                "Available KV cache memory:",
                "GPU KV cache size:",
                "model weights take",
                "pu_memory_utilization",
                "pu-memory-utilization")
            .words(UTILIZATION, "[Gg]pu[-_]memory[-_]utilization[ =:'\"(]{1,3}([0-9.]{1,8})")
            .bytes(
                WEIGHTS,
                "(?:Model loading|Loading model weights) took "
                    + SIZE
                    + "|model weights take "
                    + SIZE)
            .bytes(FieldName.TOTAL, "total_gpu_memory \\(" + SIZE)
            .bytes(DESIRED, "gpu_memory_utilization \\([0-9.]{1,8}\\) = " + SIZE)
            .bytes(ACTIVATIONS, "activation peak memory takes " + SIZE)
            .bytes(
                CACHE,
                "Available KV cache memory: " + SIZE + "|memory reserved for KV Cache is " + SIZE));
  }

  @Override
  public List<String> examples() {
    return List.of(
        "ValueError: No available memory for the cache blocks. Try increasing"
            + " `gpu_memory_utilization` when initializing the engine.",
        "ValueError: To serve at least one request with the models's max seq len (16384), (4.88 GiB"
            + " KV cache is needed, which is larger than the available KV cache memory (3.07 GiB)."
            + " Based on the available memory, the estimated maximum model length is 10304.",
        "ValueError: Free memory on device (19.22/79.11 GiB) on startup is less than desired GPU"
            + " memory utilization (0.92, 72.78 GiB).",
        "AssertionError: Error in memory profiling. Initial free memory 21.32 GiB, current free"
            + " memory 21.50 GiB.",
        "RuntimeError: CUDA out of memory occurred when warming up sampler with 1024 dummy"
            + " requests. Please try lowering `max_num_seqs` or `gpu_memory_utilization`.",
        "WARNING scheduler.py:1057] Sequence group 0 is preempted by PreemptionMode.RECOMPUTE mode"
            + " because there is not enough KV cache space.",
        "INFO gpu_model_runner.py:1273] Model loading took 0.4688 GiB and 1.204411 seconds");
  }

  @Override
  public Conclusion conclude(LogMessage message, List<LogMessage> failure, LogContext context) {
    Conclusion.Builder conclusion = new Conclusion.Builder(message);
    MessageKind kind = message.kind();
    if (kind == NO_BLOCKS) {
      noBlocks(conclusion, context.numbers().before(message.line()));
    } else if (kind == CACHE_TOO_SMALL) {
      cacheTooSmall(message, context.numbers().before(message.line()), conclusion);
    } else if (kind == FREE_AT_START) {
      freeAtStart(message, conclusion);
    } else if (kind == MEASURED_WRONGLY) {
      measuredWrongly(message, conclusion);
    } else if (kind == WARM_UP) {
      warmUp(message, context, conclusion);
    } else if (kind == PREEMPTED) {
      preempted(conclusion);
    } else {
      start(new Facts(failure), conclusion);
    }
    return conclusion.build();
  }

  /** An error of the warm-up is raised from PyTorch's, which stands above it. */
  @Override
  public Optional<LogFailure> failureOf(LogMessage message, List<LogFailure> failures) {
    return message.kind() != WARM_UP
        ? Optional.empty()
        : failures.reversed().stream()
            .filter(failure -> failure.first().process().equals(message.process()))
            .filter(failure -> message.line() - failure.last().line() <= LINES_TO_CAUSE)
            .filter(failure -> failure.first().kind().isFailure())
            .filter(failure -> failure.first().kind().memory() == Memory.DEVICE)
            .findFirst();
  }

  private static void noBlocks(Conclusion.Builder conclusion, Facts before) {
    String share = before.written(UTILIZATION).map(part -> ", " + part + " here").orElse("");
    conclusion
        .headline("vLLM had no memory left for the blocks of its KV cache, and did not start.")
        .certain(
            "This is a check of vLLM’s own budget, not a request that the GPU refused: the share"
                + " gpu_memory_utilization"
                + share
                + " of the whole GPU has to hold the weights, what a forward pass of the largest"
                + " batch needs, and the KV cache. Nothing was left for the last.");
    Optional<Quantity> used = before.quantity(FieldName.USED);
    used.ifPresent(
        bytes ->
            conclusion.certain(
                text(bytes)
                    + before.quantity(FieldName.TOTAL).map(all -> " of " + text(all)).orElse("")
                    + " were in use when nvidia-smi ran, before this engine. Versions of vLLM"
                    + " that subtract all that is in use count it against this engine’s share."));
    Optional<Quantity> weights = before.quantity(WEIGHTS);
    weights.ifPresent(
        bytes ->
            conclusion.certain("The weights of the model took " + text(bytes) + " of the share."));
    conclusion
        .remedy(
            "Raise gpu_memory_utilization: the share has to cover what other programs hold on this"
                + " GPU, the weights, a forward pass, and the KV cache.",
            LARGER)
        .remedy(
            "If the GPU has no more, let the profiling run need less: fewer sequences and fewer"
                + " tokens at a time.",
            "--max-num-seqs 16 --max-num-batched-tokens 2048");
    if (used.isEmpty()) {
      conclusion.next(CollectionAdvice.PROCESSES);
    }
    if (weights.isEmpty()) {
      conclusion.unknown(
          "How large the weights are: vLLM writes it before (“Model loading took …”). If they fill"
              + " the share, quantized weights or more GPUs (tensor parallelism) are the way.");
    }
  }

  private static void cacheTooSmall(
      LogMessage message, Facts before, Conclusion.Builder conclusion) {
    Optional<Quantity> needed = message.quantity(NEEDED);
    Optional<Quantity> available = message.quantity(CACHE).or(() -> before.quantity(CACHE));
    Optional<String> length = message.written(LENGTH);
    Optional<String> fits = message.written(FITS);
    conclusion
        .headline(
            "vLLM’s KV cache is too small for one request of the model’s maximum length"
                + length.map(tokens -> ", " + tokens + " tokens").orElse("")
                + fits.map(tokens -> "; it can hold " + tokens).orElse("")
                + ". vLLM did not start.")
        .certain(
            "This is a check before it serves: no allocation failed."
                + (needed.isPresent() && available.isPresent()
                    ? " One such request needs "
                        + text(needed.get())
                        + " of KV cache, and "
                        + text(available.get())
                        + " are available, "
                        + text(Amounts.difference(needed.get(), available.get()))
                        + " too little."
                    : available
                        .map(bytes -> " " + text(bytes) + " are left for the KV cache.")
                        .orElse("")));
    fits.ifPresent(
        tokens -> conclusion.certain("By vLLM’s estimate, " + tokens + " tokens would fit."));
    before
        .quantity(WEIGHTS)
        .ifPresent(
            weights ->
                conclusion.certain(
                    "Of vLLM’s share"
                        + before.quantity(DESIRED).map(share -> ", " + text(share) + ",").orElse("")
                        + " the weights take "
                        + text(weights)
                        + before
                            .quantity(ACTIVATIONS)
                            .map(bytes -> " and activations " + text(bytes))
                            .orElse("")
                        + "."));
    conclusion
        .remedy(
            "Limit the length"
                + fits.map(tokens -> ": at most " + tokens + " tokens fit").orElse("")
                + ".",
            "--max-model-len " + fits.map(tokens -> tokens.replace(",", "")).orElse("8192"))
        .remedy("Or give vLLM a larger share of the GPU, if nobody else needs the rest.", LARGER)
        .remedy(
            "Or store the KV cache in 8 bits, which halves it; answers change slightly.",
            "--kv-cache-dtype fp8");
  }

  private static void freeAtStart(LogMessage message, Conclusion.Builder conclusion) {
    Optional<Quantity> free = message.quantity(FieldName.FREE);
    Optional<Quantity> total = message.quantity(FieldName.TOTAL);
    Optional<Quantity> desired = message.quantity(DESIRED);
    Optional<Quantity> used = Amounts.minus(total, free);
    conclusion.headline(
        "vLLM did not start: "
            + used.map(Amounts::text).orElse("a part")
            + " of the GPU’s "
            + total.map(Amounts::text).orElse("memory")
            + " were in use by others before it loaded anything.");
    conclusion.certain(
        free.map(Amounts::text).orElse("Less")
            + " were free, less than the share that gpu_memory_utilization"
            + message.written(UTILIZATION).map(part -> " (" + part + ")").orElse("")
            + " asks for"
            + desired.map(bytes -> ", " + text(bytes)).orElse("")
            + ".");
    conclusion
        .likely(
            "An earlier engine that has not ended, or another program. It held the memory already"
                + " when this one started.")
        .remedy(
            "Find out who holds the memory, and end it: often it is a worker of an earlier run.",
            "nvidia-smi")
        .remedy(
            "If others are to keep it, ask for a smaller share, one that is free.",
            "--gpu-memory-utilization "
                + (free.isPresent() && total.isPresent() && total.get().bytes() > 0
                    ? String.format(
                        java.util.Locale.ROOT,
                        "%.2f",
                        Math.floor(95.0 * free.get().bytes() / total.get().bytes()) / 100)
                    : "0.5"))
        .total(total)
        .share(Share.Kind.OUTSIDE, "In use by others", used)
        .share(Share.Kind.FREE, "Free on the device", free)
        .unknown("Who holds the memory.")
        .next(CollectionAdvice.PROCESSES);
  }

  private static void measuredWrongly(LogMessage message, Conclusion.Builder conclusion) {
    conclusion
        .headline("vLLM could not measure its own memory, and did not start.")
        .certain(
            "More memory was free after its profiling run than before it: another process gave"
                + " memory back meanwhile"
                + message
                    .quantity(FieldName.FREE)
                    .map(bytes -> "; " + text(bytes) + " were free at the beginning")
                    .orElse("")
                + ". No allocation failed.")
        .remedy(
            "Start it again when no other process of this GPU starts or ends; start several engines"
                + " one after the other.",
            "")
        .next(CollectionAdvice.PROCESSES);
  }

  private static void warmUp(
      LogMessage message, LogContext context, Conclusion.Builder conclusion) {
    String requests =
        message.written(REQUESTS).map(count -> " with " + count + " requests").orElse("");
    if (context.has(PROFILING)) {
      conclusion
          .headline("vLLM ran out of memory while it measured how much its largest batch needs.")
          .certain(
              "vLLM was warming up its sampler"
                  + requests
                  + ". The KV cache had not been allocated yet: its size follows from this run.")
          .remedy(
              "Serve fewer sequences at once: logits and sampling need memory for each.",
              "--max-num-seqs 128");
      return;
    }
    conclusion
        .headline("vLLM ran out of memory while it warmed up, after it had taken its KV cache.")
        .certain(
            "vLLM was warming up its sampler"
                + requests
                + ". It does so after it has allocated weights and KV cache. What is left of the"
                + " GPU was too little for the logits of as many sequences at once as it may"
                + " serve.")
        .remedy(
            "Serve fewer sequences at once: logits and sampling need memory for each.",
            "--max-num-seqs 128")
        .remedy(
            "Or let the KV cache take less, so that enough is left beside it.",
            "--gpu-memory-utilization 0.85");
  }

  private static void preempted(Conclusion.Builder conclusion) {
    conclusion
        .headline(
            "vLLM preempted requests, which are computed again later (recomputed or swapped in),"
                + " because its KV cache was full.")
        .certain(
            "This is a warning of the scheduler: nothing failed, and the requests go on later. It"
                + " is the KV cache that was full, whose size vLLM has set itself.")
        .remedy(
            "If it happens often, throughput suffers: serve fewer requests at once, or give the KV"
                + " cache more memory.",
            "--max-num-seqs 64");
  }

  private static void start(Facts facts, Conclusion.Builder conclusion) {
    conclusion.headline(
        "vLLM started"
            + facts.quantity(WEIGHTS).map(bytes -> ": the weights took " + text(bytes)).orElse("")
            + facts.quantity(CACHE).map(bytes -> "; the KV cache has " + text(bytes)).orElse("")
            + ".");
  }
}
