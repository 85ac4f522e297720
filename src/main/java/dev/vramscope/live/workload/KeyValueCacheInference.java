package dev.vramscope.live.workload;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server that generates text. In each step every request gets one more token, and the cache of
 * its keys and values, one block a layer, is copied to a block that is a token longer. Requests
 * arrive at random with a prompt and leave when their answer is long enough.
 */
final class KeyValueCacheInference implements Workload {
  private static final long MIB = 1L << 20;
  private static final int LAYERS = 12;
  private static final int MOST_REQUESTS = 24;
  private static final int LONGEST_PROMPT_TOKENS = 1024;
  private static final int LONGEST_ANSWER_TOKENS = 512;

  /** Keys and values of one layer: 2 · 1024 floats of 16 bits. */
  private static final long BYTES_PER_TOKEN = 4096;

  private static final long WEIGHT_BYTES_PER_LAYER = 24 * MIB;

  /** One 16-bit float for each of 50,000 words. */
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
    if (requests.size() < MOST_REQUESTS && context.random().nextInt(3) == 0) {
      arrive(context);
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
    BlockList loaded = weights == null ? context.blocks() : weights;
    weights = loaded;
    while (loaded.size() < LAYERS) {
      try (var _ = context.scope("load/layer " + loaded.size())) {
        loaded.add(context.allocate(context.scaled(WEIGHT_BYTES_PER_LAYER)));
      }
    }
  }

  private void arrive(WorkloadContext context) {
    int prompt = 1 + context.random().nextInt(LONGEST_PROMPT_TOKENS);
    int answer = 1 + context.random().nextInt(LONGEST_ANSWER_TOKENS);
    Request request = new Request(context.blocks(), prompt, answer);
    boolean whole = false;
    try (var _ = context.scope("prefill")) {
      for (int layer = 0; layer < LAYERS; layer++) {
        request.cache.add(context.allocate(request.bytes(context)));
      }
      requests.add(request);
      whole = true;
    } finally {
      if (!whole) {
        request.cache.close();
      }
    }
  }

  /** A request that runs out of memory on the way keeps what it has: some layers are longer. */
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
