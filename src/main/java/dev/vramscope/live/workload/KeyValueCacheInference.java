package dev.vramscope.live.workload;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text-generation server. Each step adds one token to every request: the cache of keys and
 * values, one block per layer, is copied to a block that is one token larger. Requests arrive at
 * random with a prompt, and leave when their answer is complete.
 */
final class KeyValueCacheInference implements Workload {
  private static final long MIB = 1L << 20;
  private static final int LAYERS = 12;
  private static final int MAX_REQUESTS = 24;
  private static final int MAX_PROMPT_TOKENS = 1024;
  private static final int MAX_ANSWER_TOKENS = 512;

  /** Keys and values of one layer: 2 · 1024 16-bit floats. */
  private static final long BYTES_PER_TOKEN = 4096;

  private static final long WEIGHT_BYTES_PER_LAYER = 24 * MIB;

  /** One 16-bit float for each of 50,000 tokens of the vocabulary. */
  private static final long LOGIT_BYTES = 100_000;

  private @Nullable BlockList weights;
  private final List<Request> requests = new ArrayList<>();

  private static final class Request {
    private final BlockList cache;
    private final int lastToken;
    private int tokens;

    private Request(BlockList cache, int prompt, int answer) {
      this.cache = cache;
      tokens = prompt;
      lastToken = prompt + answer;
    }

    private long bytes(WorkloadContext context) {
      return context.scaled(tokens * BYTES_PER_TOKEN);
    }
  }

  @Override
  public void step(WorkloadContext context) {
    load(context);
    if (requests.size() < MAX_REQUESTS && context.random().nextInt(3) == 0) {
      startRequest(context);
    }
    for (Request request : requests) {
      generate(context, request);
    }
    requests.stream()
        .filter(request -> request.tokens >= request.lastToken)
        .forEach(request -> request.cache.close());
    requests.removeIf(request -> request.tokens >= request.lastToken);
  }

  private void load(WorkloadContext context) {
    BlockList layers = weights == null ? context.blocks() : weights;
    weights = layers;
    while (layers.size() < LAYERS) {
      try (var _ = context.scope("load/layer " + layers.size())) {
        layers.add(context.allocate(context.scaled(WEIGHT_BYTES_PER_LAYER)));
      }
    }
  }

  private void startRequest(WorkloadContext context) {
    int prompt = 1 + context.random().nextInt(MAX_PROMPT_TOKENS);
    int answer = 1 + context.random().nextInt(MAX_ANSWER_TOKENS);
    Request request = new Request(context.blocks(), prompt, answer);
    boolean complete = false;
    try (var _ = context.scope("prefill")) {
      for (int layer = 0; layer < LAYERS; layer++) {
        request.cache.add(context.allocate(request.bytes(context)));
      }
      requests.add(request);
      complete = true;
    } finally {
      if (!complete) {
        request.cache.close();
      }
    }
  }

  /**
   * After an OOM in the middle, a request keeps its state: the cache of some layers is one token
   * larger.
   */
  private static void generate(WorkloadContext context, Request request) {
    request.tokens++;
    for (int layer = 0; layer < LAYERS; layer++) {
      try (var _ = context.scope("decode/layer " + layer)) {
        request.cache.replace(layer, context.allocate(request.bytes(context)));
      }
    }
    try (var _ = context.scope("decode/logits")) {
      context.free(context.allocate(context.scaled(LOGIT_BYTES)));
    }
  }
}
