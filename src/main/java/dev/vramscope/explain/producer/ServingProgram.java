package dev.vramscope.explain.producer;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The program that serves a model, whose settings decide how its memory is used. It only computes
 * forward passes: advice for training does not apply to it.
 */
public enum ServingProgram {
  SGLANG(
      "SGLang",
      "\\bsglang\\b|\\[(?:DP[0-9]+ )?TP[0-9]+\\]|#running-req: [0-9]|mem_fraction_static",
      "--mem-fraction-static",
      "--max-running-requests 64",
      "--chunked-prefill-size 2048",
      "--cuda-graph-max-bs 16  # or --disable-cuda-graph"),
  VLLM(
      "vLLM",
      "\\bvllm\\b|EngineCore|gpu_memory_utilization",
      "--gpu-memory-utilization",
      "--max-num-seqs 64",
      "--max-num-batched-tokens 2048",
      "--max-num-seqs 64  # or --enforce-eager"),
  TGI(
      "text-generation-inference",
      "text[-_]generation[-_](?:router|launcher|server|inference)",
      "--cuda-memory-fraction",
      "--max-concurrent-requests 32",
      "--max-batch-prefill-tokens 2048",
      "--cuda-graphs 1,2,4"),
  LMDEPLOY(
      "LMDeploy",
      "\\blmdeploy\\b|\\bturbomind\\b",
      "--cache-max-entry-count",
      "--max-batch-size 32",
      "--max-prefill-token-num 2048",
      "--eager-mode"),
  OTHER(
      "the server",
      "(?i)\\b(?:uvicorn|gunicorn|fastapi|tritonserver|torchserve|xinference)\\b|ready to batch"
          + " requests|batch_handler|[Mm]odel"
          + " actor|/v1/(?:chat/completions|completions|embeddings|rerank)\\b",
      "",
      "",
      "",
      "");

  private final String label;
  private final Pattern pattern;
  private final String share;
  private final String fewerRequests;
  private final String fewerTokens;
  private final String fewerGraphs;

  ServingProgram(
      String label,
      String pattern,
      String share,
      String fewerRequests,
      String fewerTokens,
      String fewerGraphs) {
    this.label = label;
    this.pattern = Pattern.compile(pattern);
    this.share = share;
    this.fewerRequests = fewerRequests;
    this.fewerTokens = fewerTokens;
    this.fewerGraphs = fewerGraphs;
  }

  /** The program that wrote a log, if it is one of these. */
  static Optional<ServingProgram> of(LogContext log) {
    return Arrays.stream(values()).filter(each -> log.has(each.pattern)).findFirst();
  }

  /** Its name. */
  public String label() {
    return label;
  }

  /** How to leave more memory beside weights and KV cache. */
  public Advice smallerShare() {
    if (share.isEmpty()) {
      return new Advice(
          "Let each request need less: limit the length of its input, and how many are computed as"
              + " one batch.",
          "");
    }
    return new Advice(
        "Lower the share of the GPU that "
            + label
            + " takes for weights and KV cache ("
            + share.replace("--", "").replace('-', '_')
            + "), so that more is left for activations and libraries.",
        share + " 0.8");
  }

  /** How to compute less at the same time. */
  public Advice lessAtOnce() {
    if (fewerRequests.isEmpty()) {
      return new Advice(
          "Use smaller weights (quantized to 8 or 4 bits), or a GPU of its own for each server.",
          "");
    }
    return new Advice(
        "Compute fewer requests, or fewer tokens of their prompts, at the same time.",
        fewerRequests + " " + fewerTokens);
  }

  /** How to capture fewer or no CUDA graphs, each of which keeps memory; empty if not known. */
  public Optional<Advice> fewerGraphs() {
    return fewerGraphs.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Advice(
                "Capture graphs of fewer and smaller batches, or none: "
                    + label
                    + " then computes other batches without a graph, more slowly.",
                fewerGraphs));
  }
}
