package dev.vramscope.web.oom;

import dev.vramscope.analysis.ledger.EvidenceMatch.Result;
import dev.vramscope.evidence.AttachedText;
import dev.vramscope.evidence.Evidence;
import dev.vramscope.evidence.FailureText;
import dev.vramscope.evidence.PoolText;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.inspection.SnapshotInspection;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.ChosenDevice;
import dev.vramscope.web.snapshot.EvidenceView;
import dev.vramscope.web.snapshot.FailureAnswers;
import dev.vramscope.web.snapshot.SnapshotCache;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Attaches texts to snapshots, after they were compared with the recording, and removes them. */
@Component
public final class EvidenceTexts {
  /** More texts than there are kinds and devices are not needed. */
  static final int MAX_TEXTS = 16;

  /** No character takes more bytes. */
  static final int MAX_BYTES = 4 * Evidence.MAX_CHARACTERS;

  private static final String WHERE = "the text";

  private final SnapshotStore store;
  private final SnapshotCache snapshots;
  private final FailureAnswers answers;

  EvidenceTexts(SnapshotStore store, SnapshotCache snapshots, FailureAnswers answers) {
    this.store = store;
    this.snapshots = snapshots;
    this.answers = answers;
  }

  /** All texts of a snapshot, by their number. */
  List<EvidenceView> all(String id) {
    return snapshots.get(id).devices().stream()
        .flatMap(device -> device.evidence().pieces().stream())
        .map(EvidenceView::of)
        .sorted((a, b) -> Integer.compare(a.number(), b.number()))
        .toList();
  }

  /**
   * One text.
   *
   * @throws RefusedRequestException if there is none with this number
   */
  EvidenceView one(String id, int number) {
    return all(id).stream()
        .filter(each -> each.number() == number)
        .findFirst()
        .orElseThrow(() -> missing(id, number));
  }

  /**
   * Attaches a text; the same text is attached once.
   *
   * @param device by default, that which the text names, or else the one that the pages show
   * @param gpu the index of the device in the output of nvidia-smi
   * @throws RefusedRequestException if the text is not recognized, or not about this recording
   */
  public EvidenceView attach(
      String id, @Nullable Integer device, @Nullable Integer gpu, String pasted) {
    String text = checked(ofPool(pasted));
    SnapshotInspection snapshot = snapshots.get(id);
    Evidence evidence =
        Evidence.parse(text)
            .orElseThrow(
                () ->
                    RefusedRequestException.badEvidence(
                        "The text says nothing about a device that is recognized",
                        WHERE,
                        isOfPool(snapshot) ? Evidence.RECOGNIZED_OF_POOL : Evidence.RECOGNIZED));
    DeviceInspection inspection =
        ChosenDevice.of(snapshot, device != null ? device : named(evidence, snapshot));
    if (!inspection.device().kind().hasAddresses()) {
      throw RefusedRequestException.notOfProfile();
    }
    if (inspection.device().facts().isSimulated()) {
      throw RefusedRequestException.badEvidence(
          "The device of this recording is simulated",
          "device " + inspection.ordinal(),
          "The recording contains its size, and no other process uses it: nothing is missing.");
    }
    OptionalInt index = gpu == null ? OptionalInt.empty() : OptionalInt.of(gpu);
    if (inspection.evidence().compare(evidence, index)
        instanceof Result.Contradicts(String what, String next)) {
      throw RefusedRequestException.badEvidence(what, WHERE, next);
    }
    AttachedText added = store(id, inspection.ordinal(), gpu, text);
    readAgain(id, evidence);
    answers.prepare(id);
    return inspection.evidence().pieces().stream()
        .filter(piece -> piece.text().equals(added))
        .findFirst()
        .map(EvidenceView::of)
        .orElseThrow(() -> RefusedRequestException.noSnapshot(id));
  }

  /** The request of a log becomes the failure of a dump when the dump is read. */
  private void readAgain(String id, Evidence evidence) {
    if (evidence instanceof PoolText) {
      snapshots.evict(id);
    }
  }

  private AttachedText store(String id, int device, @Nullable Integer gpu, String text) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
    List<AttachedText> stored =
        store
            .changeEvidence(id, texts -> with(texts, device, gpu, now, text))
            .orElseThrow(() -> RefusedRequestException.noSnapshot(id));
    return stored.stream()
        .filter(each -> isSame(each, device, gpu, text))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("the text was not stored"));
  }

  private static List<AttachedText> with(
      List<AttachedText> texts, int device, @Nullable Integer gpu, Instant now, String text) {
    if (texts.stream().anyMatch(each -> isSame(each, device, gpu, text))) {
      return texts;
    }
    if (texts.size() >= MAX_TEXTS) {
      throw RefusedRequestException.badEvidence(
          "The snapshot has " + texts.size() + " texts", WHERE, "Remove one that is not needed.");
    }
    int number = texts.stream().mapToInt(AttachedText::number).max().orElse(0) + 1;
    List<AttachedText> more = new ArrayList<>(texts);
    more.add(new AttachedText(number, device, gpu, now, text));
    return more;
  }

  private static boolean isSame(AttachedText each, int device, @Nullable Integer gpu, String text) {
    return each.equals(new AttachedText(each.number(), device, gpu, each.added(), text));
  }

  /**
   * Removes a text.
   *
   * @throws RefusedRequestException if there is none with this number
   */
  void remove(String id, int number) {
    if (store.changeEvidence(id, texts -> without(texts, id, number)).isEmpty()) {
      throw RefusedRequestException.noSnapshot(id);
    }
    snapshots.evict(id);
    answers.prepare(id);
  }

  private static List<AttachedText> without(List<AttachedText> texts, String id, int number) {
    List<AttachedText> rest = texts.stream().filter(each -> each.number() != number).toList();
    if (rest.size() == texts.size()) {
      throw missing(id, number);
    }
    return rest;
  }

  private static RefusedRequestException missing(String id, int number) {
    return RefusedRequestException.notFound(
        "Snapshot " + id + " has no attached text " + number,
        "/api/v1/snapshots/" + id + "/evidence/" + number,
        "It may have been removed. GET /api/v1/snapshots/" + id + "/evidence lists them.");
  }

  /** The device that a message names, if the recording has it. */
  private static @Nullable Integer named(Evidence evidence, SnapshotInspection snapshot) {
    return evidence instanceof FailureText message
            && message.device().isPresent()
            && snapshot.devices().stream()
                .anyMatch(each -> each.ordinal() == message.device().getAsInt())
        ? (Integer) message.device().getAsInt()
        : null;
  }

  /** Decodes the body of a request. */
  static String decoded(byte[] body) {
    if (body.length > MAX_BYTES) {
      throw tooLong("more than " + String.format(Locale.ROOT, "%,d", MAX_BYTES) + " bytes");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException binary) {
      throw notText();
    }
  }

  private static boolean isOfPool(SnapshotInspection snapshot) {
    return snapshot.devices().stream().allMatch(device -> device.family().isBfc());
  }

  /** Of a longer log of a BFC allocator, the lines that matter. */
  private static String ofPool(String pasted) {
    return pasted.length() > Evidence.MAX_CHARACTERS
        ? PoolText.excerpt(pasted).orElse(pasted)
        : pasted;
  }

  private static String checked(String pasted) {
    String text = pasted.replace("\r\n", "\n").strip();
    if (text.isEmpty()) {
      throw RefusedRequestException.badEvidence("The text is empty", WHERE, Evidence.RECOGNIZED);
    }
    if (text.length() > Evidence.MAX_CHARACTERS) {
      throw tooLong(String.format(Locale.ROOT, "%,d characters", text.length()));
    }
    boolean isText = text.chars().allMatch(EvidenceTexts::isPlain);
    if (!isText) {
      throw notText();
    }
    return text;
  }

  /** Printable, or white space. Terminals write colours with escapes. */
  private static boolean isPlain(int character) {
    return switch (character) {
      case '\n', '\r', '\t', 0x1b -> true;
      case 0x7f -> false;
      default -> character >= ' ';
    };
  }

  private static RefusedRequestException tooLong(String length) {
    return RefusedRequestException.badEvidence(
        "The text has " + length,
        WHERE,
        "Paste only the message or the table: at most "
            + String.format(Locale.ROOT, "%,d", Evidence.MAX_CHARACTERS)
            + " characters.");
  }

  private static RefusedRequestException notText() {
    return RefusedRequestException.badEvidence(
        "It is not plain text", WHERE, "Paste the text of the message or the table, in UTF-8.");
  }
}
