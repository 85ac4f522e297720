package dev.vramscope.live.workload;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A transformer's training loop in 16-bit floats. Parameters stay; the optimizer makes its state
 * when it steps for the first time; each step keeps what the forward pass computes until the
 * backward pass has used it, layer by layer from the end, while gradients appear.
 */
final class Training implements Workload {
  private static final long MIB = 1L << 20;
  private static final int BYTES_PER_FLOAT = 2;

  /** Adam keeps a 32-bit copy of each parameter and two moments. */
  private static final int OPTIMIZER_BYTES_PER_PARAMETER = 12;

  private static final int FIXED_BATCH = 8;
  private static final int FIXED_SEQUENCE = 512;

  /** What a kernel of a matrix product uses while it runs, as cuBLAS does. */
  private static final long WORKSPACE_BYTES = 8 * MIB + 128 * 1024;

  private final boolean varying;
  private @Nullable Model model;
  private @Nullable BlockList parameters;
  private @Nullable BlockList optimizerState;

  /**
   * A loop.
   *
   * @param varying whether batch and sequence length are drawn for every step
   */
  Training(boolean varying) {
    this.varying = varying;
  }

  /**
   * The shape of a model.
   *
   * @param width floats of one token between layers
   */
  private record Model(int layers, int width, int heads) {
    /** Floats of a layer's weights: attention in and out, and two for four times the width. */
    long[] weights() {
      long square = (long) width * width;
      return new long[] {3 * square, square, 4 * square, 4 * square};
    }

    /** Bytes of what a layer computes on its way forward, in order. */
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
    BlockList made = parameters == null ? context.blocks() : parameters;
    parameters = made;
    // Goes on where an earlier attempt ran out of memory.
    long[] weights = shape.weights();
    while (made.size() < shape.layers() * weights.length) {
      int layer = made.size() / weights.length;
      try (var _ = context.scope("parameters/layer " + layer)) {
        long floats = weights[made.size() % weights.length];
        made.add(context.allocate(context.scaled(floats * BYTES_PER_FLOAT)));
      }
    }
    return made;
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
          BlockList passedOn = context.blocks()) {
        passedOn.add(context.allocate(activations.get(activations.size() - 1).bytes()));
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
    BlockList made = optimizerState == null ? context.blocks() : optimizerState;
    optimizerState = made;
    long[] weights = shape.weights();
    while (made.size() < shape.layers() * weights.length) {
      try (var _ = context.scope("optimizer/layer " + made.size() / weights.length)) {
        long floats = weights[made.size() % weights.length];
        made.add(context.allocate(context.scaled(floats * OPTIMIZER_BYTES_PER_PARAMETER)));
      }
    }
    made.check();
  }

  /** A kernel's workspace: there and gone. */
  private static void compute(WorkloadContext context) {
    context.free(context.allocate(context.scaled(WORKSPACE_BYTES)));
  }
}
