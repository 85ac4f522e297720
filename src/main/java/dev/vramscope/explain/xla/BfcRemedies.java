package dev.vramscope.explain.xla;

import dev.vramscope.evidence.Quantity;
import dev.vramscope.explain.message.Amounts;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import java.util.Optional;

/**
 * What may help after a failure of XLA's allocator on GPUs; it depends on why the request failed.
 */
final class BfcRemedies {
  static final Advice SMALLER_BATCH =
      new Advice(
          "The tensor grows with the batch, its first dimension as a rule: with half the batch it"
              + " has half the size.",
          "");

  private BfcRemedies() {}

  static void add(Conclusion.Builder conclusion, Program program, BfcCause cause) {
    add(conclusion, program, cause, Optional.empty());
  }

  /**
   * Adds the remedies.
   *
   * @param missingBytes by how much the request exceeds what was not in use
   */
  static void add(
      Conclusion.Builder conclusion,
      Program program,
      BfcCause cause,
      Optional<Quantity> missingBytes) {
    boolean isJax = program == Program.JAX;
    if (cause == BfcCause.FULL) {
      conclusion.remedy(
          "At least "
              + missingBytes.map(Amounts::text).orElseThrow()
              + " has to be freed, or not allocated: a smaller batch, activations that are computed"
              + " again"
              + (isJax ? " (jax.checkpoint), donated arguments" : "")
              + ", fewer copies. What holds the memory decides which of these helps.",
          "");
    } else if (cause == BfcCause.EXCEEDS_LIMIT) {
      conclusion.remedy(
          "The array has to be smaller, computed in pieces, or sharded over devices.", "");
    }
    if (isJax && cause != BfcCause.DRIVER) {
      conclusion.remedy(
          "JAX reserves 75 % of the GPU by default. Give it more, if no other program needs the"
              + " rest. Older releases know only XLA_PYTHON_CLIENT_MEM_FRACTION.",
          "XLA_CLIENT_MEM_FRACTION=0.95");
    }
    if (cause == BfcCause.DRIVER) {
      conclusion.remedy(
          "Stop the other programs on the device, or leave them more of it.",
          isJax ? "XLA_CLIENT_MEM_FRACTION=0.5" : "");
    }
    if (cause == BfcCause.PIECES || cause == BfcCause.UNKNOWN) {
      addAgainstPieces(conclusion, isJax);
    }
  }

  private static void addAgainstPieces(Conclusion.Builder conclusion, boolean isJax) {
    if (!isJax) {
      conclusion.remedy(
          "Let the driver’s allocator serve the requests: it avoids fragmentation.",
          "TF_GPU_ALLOCATOR=cuda_malloc_async");
      conclusion.remedy(
          "Let the pool grow with the program, if another program shares the GPU.",
          "TF_FORCE_GPU_ALLOW_GROWTH=true");
      return;
    }
    conclusion.remedy(
        "Let the pool grow with the program, if another program, or a second framework in this one,"
            + " shares the GPU. The pool may become fragmented sooner.",
        "XLA_PYTHON_CLIENT_PREALLOCATE=false");
    conclusion.remedy(
        "Allocate and free every buffer at the driver. There is no fragmentation, so it shows"
            + " whether fragmentation is the reason, but it is slow.",
        "XLA_PYTHON_CLIENT_ALLOCATOR=platform");
  }
}
