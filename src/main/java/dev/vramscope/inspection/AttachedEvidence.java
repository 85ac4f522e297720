package dev.vramscope.inspection;

import dev.vramscope.analysis.Lazy;
import dev.vramscope.analysis.ledger.DeviceEvidence;
import dev.vramscope.analysis.ledger.EvidenceMatch;
import dev.vramscope.analysis.ledger.EvidenceMatch.Result;
import dev.vramscope.evidence.AttachedText;
import dev.vramscope.evidence.DeviceName;
import dev.vramscope.evidence.Evidence;
import dev.vramscope.evidence.FailureText;
import dev.vramscope.evidence.PoolText;
import dev.vramscope.evidence.SmiText;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What the texts that users attached say about one device. They are read anew for every page, since
 * they may change; what a text says is computed once.
 */
public final class AttachedEvidence {
  private static final int MAX_KEPT = 64;

  private final int device;
  private final Supplier<List<AttachedText>> texts;
  private final Lazy<EvidenceMatch> match;
  private final Map<AttachedText, Piece> pieces = new ConcurrentHashMap<>();

  AttachedEvidence(int device, Supplier<List<AttachedText>> texts, Lazy<EvidenceMatch> match) {
    this.device = device;
    this.texts = texts;
    this.match = match;
  }

  /**
   * A text and what it says.
   *
   * @param evidence empty if the text is not recognized
   * @param result of the comparison with the recording
   */
  public record Piece(AttachedText text, Optional<Evidence> evidence, Result result) {
    /** What it adds; nothing if it is not about this recording. */
    DeviceEvidence adds() {
      return result instanceof Result.Adds(DeviceEvidence evidence, String _)
          ? evidence
          : DeviceEvidence.NONE;
    }

    /** Measured at the failure, measured at another time, nominal. */
    private int rank() {
      return evidence.map(Piece::rank).orElse(Integer.MAX_VALUE);
    }

    private static int rank(Evidence evidence) {
      return switch (evidence) {
        case FailureText _ -> 0;
        case SmiText _ -> 1;
        case DeviceName _, PoolText _ -> 2;
      };
    }
  }

  /** The texts about the device, by their number. */
  public List<Piece> pieces() {
    return texts.get().stream().filter(text -> text.device() == device).map(this::piece).toList();
  }

  /** What all texts about the device say together: the most reliable first, the latest first. */
  public DeviceEvidence combined() {
    return pieces().stream()
        .sorted(
            Comparator.comparingInt((Piece piece) -> piece.rank())
                .thenComparingInt(piece -> -piece.text.number()))
        .map(Piece::adds)
        .reduce(DeviceEvidence.NONE, DeviceEvidence::or);
  }

  /** Compares a text with the recording. */
  public Result compare(Evidence evidence, OptionalInt gpu) {
    return match.get().compare(evidence, gpu);
  }

  private Piece piece(AttachedText text) {
    if (pieces.size() > MAX_KEPT) {
      pieces.clear();
    }
    return pieces.computeIfAbsent(text, this::read);
  }

  private Piece read(AttachedText text) {
    Integer gpu = text.gpu();
    Optional<Evidence> evidence = Evidence.parse(text.text());
    Result result =
        evidence
            .map(each -> compare(each, gpu == null ? OptionalInt.empty() : OptionalInt.of(gpu)))
            .orElseGet(
                () -> new Result.Contradicts("The text is not recognized", Evidence.RECOGNIZED));
    return new Piece(text, evidence, result);
  }
}
