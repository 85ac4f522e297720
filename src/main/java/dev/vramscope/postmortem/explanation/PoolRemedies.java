package dev.vramscope.postmortem.explanation;

import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.cause.Verdict.Cause;
import dev.vramscope.postmortem.explanation.Remedy.Effect;
import dev.vramscope.postmortem.explanation.Remedy.Kind;
import dev.vramscope.whatif.pool.PoolTrials;
import dev.vramscope.whatif.pool.PoolTrials.Question;
import java.util.Optional;

/**
 * What another pool of a BFC allocator would have given, by the trials of the allocator. XLA and
 * TensorFlow write the same dump, so that the settings of both are named.
 */
final class PoolRemedies {
  private final OomReport report;

  PoolRemedies(OomReport report) {
    this.report = report;
  }

  /** A pool that starts otherwise, or is split otherwise; empty if no trial supports either. */
  Optional<Remedy> otherPool() {
    return report.pool().flatMap(this::ofTrials);
  }

  private Optional<Remedy> ofTrials(PoolTrials trials) {
    boolean isGrown = report.state().segments().size() > 1;
    if (isGrown && trials.isFit(Question.OTHER_START)) {
      return Optional.of(
          remedy(
              Sentence.of("Let the pool be allocated at once instead of growing (in JAX ")
                  .code("XLA_PYTHON_CLIENT_PREALLOCATE=true")
                  .words(", its default; in TensorFlow ")
                  .code("TF_FORCE_GPU_ALLOW_GROWTH=false")
                  .words(")."),
              trials.row(Question.OTHER_START),
              "Other programs on the device cannot use the memory that this pool then holds."));
    }
    if (report.verdict().cause() == Cause.CHUNK_WASTE && trials.isFit(Question.OTHER_SPLIT)) {
      return Optional.of(
          remedy(
              Sentence.of("Let the allocator split more chunks (in TensorFlow the option ")
                  .code("internal_fragmentation_fraction")
                  .words(" of ")
                  .code("gpu_options.experimental")
                  .words("; JAX has no such setting: there, arrays of few different sizes help)."),
              trials.row(Question.OTHER_SPLIT),
              "More, smaller free chunks: the pool may become fragmented sooner."));
    }
    if (trials.isFit(Question.ONE_PIECE)) {
      return Optional.of(
          remedy(
              Sentence.of("Let an allocator of the driver serve the requests (")
                  .code("TF_GPU_ALLOCATOR=cuda_malloc_async")
                  .words(", in JAX also ")
                  .code("XLA_PYTHON_CLIENT_ALLOCATOR=cuda_async")
                  .words("): it maps pages, so that free memory need not be in one piece."),
              trials.row(Question.ONE_PIECE),
              "Allocations take longer, and its pool keeps other sizes."));
    }
    return Optional.empty();
  }

  private static Remedy remedy(Sentence.Builder action, PoolTrials.Row proof, String price) {
    return new Remedy(
        Kind.OTHER_POOL,
        Effect.SERVES_REQUEST,
        action.build(),
        Optional.empty(),
        Sentence.of(proof.sentence()).build(),
        Sentence.of(price).build(),
        /* isEstimated= */ false);
  }
}
