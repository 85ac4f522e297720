package dev.vramscope.postmortem.explanation;

import dev.vramscope.model.Certainty;
import java.util.Comparator;
import java.util.Optional;

/**
 * Something to change, with the proof that it would have helped. No remedy is a guess: each follows
 * from the numbers of the failure, from its cause, or from a replay.
 *
 * @param kind what is changed
 * @param effect what it would have given
 * @param action what to do, in the imperative
 * @param settings the whole {@code PYTORCH_CUDA_ALLOC_CONF} to paste, if the action is to set it
 * @param proof the numbers that support it
 * @param price what it costs; may be empty
 * @param isEstimated whether the proof stands on a replay that is not known to be exact
 */
public record Remedy(
    Kind kind,
    Effect effect,
    Sentence action,
    Optional<String> settings,
    Sentence proof,
    Sentence price,
    boolean isEstimated) {

  /** The best effect first; the order of the kinds breaks ties. A larger device is the last. */
  static final Comparator<Remedy> BEST_FIRST =
      Comparator.comparing((Remedy remedy) -> remedy.kind == Kind.LARGER_DEVICE)
          .thenComparing(Remedy::effect)
          .thenComparing(Remedy::kind);

  /** A remedy without settings, price or estimate. */
  static Remedy of(Kind kind, Effect effect, Sentence.Builder action, Sentence.Builder proof) {
    return new Remedy(
        kind,
        effect,
        action.build(),
        Optional.empty(),
        proof.build(),
        Sentence.EMPTY,
        /* isEstimated= */ false);
  }

  /** What is changed. */
  public enum Kind {
    /** What the program does, by a rule for what its memory is used for; the results stay. */
    PROGRAM,
    /** A line of code whose memory grows from step to step. */
    LEAK_LINE,
    /** A step that needs far more than the others. */
    SPIKE_LINE,
    /** The same, at the price of time or of another method. */
    TRADE_OFF,
    /** The limit of the allocator. */
    RAISE_LIMIT,
    /** How a BFC allocator makes and divides its pool. */
    OTHER_POOL,
    /** Memory that other programs or libraries hold. */
    FREE_OUTSIDE,
    /** Memory that waits for a stream. */
    WAIT_FOR_STREAMS,
    /** The streams on which memory is allocated. */
    USE_ONE_STREAM,
    /** A CUDA graph's or MemPool's memory. */
    RELEASE_POOL,
    /** The cache, before a graph capture. */
    EMPTY_BEFORE_CAPTURE,
    /** What the program holds. */
    HOLD_LESS,
    /** The allocator's settings. */
    SETTINGS,
    /** The cache, while the program runs. */
    EMPTY_CACHE,
    /** A few blocks whose freeing makes room. */
    CHEAPEST_FREES,
    /** Handling of the exception. */
    CAUGHT_EXCEPTION,
    /** The size of the request. */
    SMALLER_REQUEST,
    /** The device. */
    LARGER_DEVICE
  }

  /** What a remedy would have given. */
  public enum Effect {
    REMOVES_CAUSE("removes the cause"),
    RECORDING_FITS("the whole recording fits"),
    PASSES_FAILURE("gets past this failure"),
    SERVES_REQUEST("this request fits"),
    HELPS("helps");

    private final String label;

    Effect(String label) {
      this.label = label;
    }

    /**
     * The text for pages.
     *
     * @param cause how sure the cause is
     */
    public String label(Certainty cause) {
      if (this != REMOVES_CAUSE) {
        return label;
      }
      return switch (cause) {
        case CERTAIN -> label;
        case LIKELY -> "removes the likely cause";
        case UNDECIDED -> "removes a possible cause";
      };
    }
  }
}
