package dev.vramscope.postmortem.explanation;

import dev.vramscope.analysis.ledger.Ledger.Amount;
import dev.vramscope.analysis.steps.Steps;
import dev.vramscope.model.AllocatorFamily;
import dev.vramscope.postmortem.ChangedReplays.Unlimited;
import dev.vramscope.postmortem.OomReport;
import dev.vramscope.postmortem.cause.Counterfactuals.Name;
import dev.vramscope.postmortem.cause.Request;
import dev.vramscope.postmortem.explanation.Remedy.Effect;
import dev.vramscope.postmortem.explanation.Remedy.Kind;
import java.util.Locale;
import java.util.Optional;

/** How high a memory limit has to be: for the request, and for the rest of its step. */
final class RaiseLimitRemedy {
  private final OomReport report;
  private final Optional<Unlimited> unlimited;
  private final Steps.Source stepSource;
  private final Request request;

  /**
   * @param unlimited a replay without the limit, if there is one
   */
  RaiseLimitRemedy(OomReport report, Optional<Unlimited> unlimited, Steps.Source stepSource) {
    this.report = report;
    this.unlimited = unlimited;
    this.stepSource = stepSource;
    request = report.request();
  }

  Remedy remedy(Effect effect) {
    Sentence.Builder action =
        Sentence.of("Raise or remove the ").term("memory-limit", "memory limit");
    if (request.family() == AllocatorFamily.CACHING) {
      action
          .words(" (")
          .code("per_process_memory_fraction")
          .words(" or ")
          .code("torch.cuda.set_per_process_memory_fraction")
          .words(")");
    } else if (request.family() == AllocatorFamily.BFC) {
      action
          .words(" (in JAX ")
          .code("XLA_CLIENT_MEM_FRACTION")
          .words(", in older releases ")
          .code("XLA_PYTHON_CLIENT_MEM_FRACTION")
          .words(", in TensorFlow the ")
          .code("memory_limit")
          .words(" of ")
          .code("tf.config.LogicalDeviceConfiguration")
          .words(")");
    }
    long forRequest = report.state().reservedBytes() + request.segmentBytes();
    long needed =
        unlimited
            .filter(run -> run.fits() && run.isToEndOfStep())
            .map(Unlimited::peakReservedBytes)
            .orElse(forRequest);
    action.words(" so that the allocator may hold at least ").bytes(needed);
    if (report.ledger().total() instanceof Amount.Known(long total) && total > 0) {
      // Rounded up to two digits, as people write it.
      long percent = Math.ceilDiv(100 * needed, total);
      action.words(
          String.format(
              Locale.ROOT, ", a fraction of %d.%02d of this GPU", percent / 100, percent % 100));
    }
    action.words(".");
    return new Remedy(
        Kind.RAISE_LIMIT,
        effect,
        action.build(),
        Optional.empty(),
        proofWithoutLimit(forRequest),
        Sentence.EMPTY,
        unlimited.map(Unlimited::isScaled).orElse(false));
  }

  /**
   * @param forRequest what the allocator has to hold for the request alone, in bytes
   */
  private Sentence proofWithoutLimit(long forRequest) {
    Sentence.Builder proof =
        report.counterfactuals().isYes(Name.WITHOUT_LIMIT)
            ? Sentence.of(report.counterfactuals().row(Name.WITHOUT_LIMIT).sentence())
            : Sentence.of("The request alone is larger than the limit.");
    if (unlimited.isEmpty()) {
      return proof.build();
    }
    Unlimited run = unlimited.get();
    if (!run.isToEndOfStep()) {
      proof.words(
          " That is for this request alone: what the rest of the step needs is not known, as no"
              + " step like this one came before.");
    } else if (run.fits()) {
      proof
          .words(" In a ")
          .term("replay", "replay")
          .words(" without the limit, the allocator holds up to ")
          .bytes(run.peakReservedBytes())
          .words(
              run.isScaled()
                  ? " until the step ends, if its requests grow as those before this one did"
                  : " until the step ends, as the steps before did")
          .words("; for this request alone, ")
          .bytes(forRequest)
          .words(" would do.");
    } else {
      proof
          .words(" But in a ")
          .term("replay", "replay")
          .words(" without the limit, the rest of the step needs more than the GPU has.");
    }
    if (run.isToEndOfStep() && stepSource.isGuessed()) {
      proof.words(StepFacts.GUESSED_BOUNDS);
    }
    return proof.build();
  }
}
