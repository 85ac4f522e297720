package dev.vramscope.live.workload;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The training loop of a transformer with 16-bit floats. Parameters are allocated once, the
 * optimizer state in the first optimizer step. Each step keeps the activations of the forward pass
 * until the backward pass has used them, layer by layer from the last, while gradients are
 * allocated.
 */
final class Training implements Workload {
  private static final long MIB = 1L << 20;
  private static final int BYTES_PER_FLOAT = 2;

  /** Adam: a 32-bit copy of each parameter and two moments. */
  private static final int OPTIMIZER_BYTES_PER_PARAMETER = 12;

  private static final int FIXED_BATCH = 8;
  private static final int FIXED_SEQUENCE = 512;

  /** The workspace of a matrix multiplication kernel, as in cuBLAS. */
  private static final long WORKSPACE_BYTES = 8 * MIB + 128 * 1024;

  private final boolean varying;
  private @Nullable Model model;
  private @Nullable BlockList parameters;
  private @Nullable BlockList optimizerState;

  /**
   * Creates a training loop.
   *
   * @param varying whether batch size and sequence length are random in every step
   */
  Training(boolean varying) {
    this.varying = varying;
  }

  /**
   * The shape of a model.
   *
   * @param width floats per token between layers
   */
  private record Model(int layers, int width, int heads) {
    /**
     * Floats of the weights of a layer: attention in and out, and the two matrices of the MLP with
     * four times the width.
     */
    long[] weights() {
      long square = (long) width * width;
      return new long[] {3 * square, square, 4 * square, 4 * square};
    }

    /** Bytes of the activations of a layer, in order. */
    long[] activations(long batch, long sequence) {
      long tokens = batch * sequence * width * BYTES_PER_FLOAT;
      long scores = batch * heads * sequence * sequence * BYTES_PER_FLOAT;
      return new long[] {
        tokens, 3 * tokens, scores, tokens, tokens, 4 * tokens, 4 * tokens, tokens
      };
    }
  }

  @Override
  public void step(WorkloadContext context) {
    Model shape = model(context.random());
    BlockList weights = parameters(context, shape);
    int batch = varying ? 1 + context.random().nextInt(FIXED_BATCH) : FIXED_BATCH;
    int sequence = varying ? 64 * (1 + context.random().nextInt(12)) : FIXED_SEQUENCE;
    try (BlockList gradients = context.blocks();
        BlockList activations = context.blocks()) {
      forward(context, shape, activations, shape.activations(batch, sequence));
      backward(context, shape, activations, gradients);
      optimize(context, shape);
    }
    weights.check();
  }

  private Model model(SplittableRandom random) {
    if (model == null) {
      int heads = 12 + 2 * random.nextInt(3);
      model = new Model(10 + random.nextInt(5), 64 * heads, heads);
    }
    return model;
  }

  private BlockList parameters(WorkloadContext context, Model shape) {
    BlockList blocks = parameters == null ? context.blocks() : parameters;
    parameters = blocks;
    // Continues where an earlier attempt ran out of memory.
    long[] weights = shape.weights();
    while (blocks.size() < shape.layers() * weights.length) {
      int layer = blocks.size() / weights.length;
      try (var _ = context.scope("parameters/layer " + layer)) {
        long floats = weights[blocks.size() % weights.length];
        blocks.add(context.allocate(context.scaled(floats * BYTES_PER_FLOAT)));
      }
    }
    return blocks;
  }

  private static void forward(
      WorkloadContext context, Model shape, BlockList activations, long[] bytes) {
    for (int layer = 0; layer < shape.layers(); layer++) {
      try (var _ = context.scope("forward/layer " + layer)) {
        for (long one : bytes) {
          activations.add(context.allocate(context.scaled(one)));
        }
        compute(context);
      }
    }
  }

  private static void backward(
      WorkloadContext context, Model shape, BlockList activations, BlockList gradients) {
    int each = activations.size() / shape.layers();
    for (int layer = shape.layers() - 1; layer >= 0; layer--) {
      try (var _ = context.scope("backward/layer " + layer);
          BlockList outputs = context.blocks()) {
        outputs.add(context.allocate(activations.get(activations.size() - 1).bytes()));
        compute(context);
        for (long floats : shape.weights()) {
          gradients.add(context.allocate(context.scaled(floats * BYTES_PER_FLOAT)));
        }
        for (int i = 0; i < each; i++) {
          activations.freeLast();
        }
      }
    }
  }

  private void optimize(WorkloadContext context, Model shape) {
    BlockList blocks = optimizerState == null ? context.blocks() : optimizerState;
    optimizerState = blocks;
    long[] weights = shape.weights();
    while (blocks.size() < shape.layers() * weights.length) {
      try (var _ = context.scope("optimizer/layer " + blocks.size() / weights.length)) {
        long floats = weights[blocks.size() % weights.length];
        blocks.add(context.allocate(context.scaled(floats * OPTIMIZER_BYTES_PER_PARAMETER)));
      }
    }
    blocks.check();
  }

  /** Allocates the workspace of a kernel and frees it. */
  private static void compute(WorkloadContext context) {
    context.free(context.allocate(context.scaled(WORKSPACE_BYTES)));
  }
}
