package dev.vramscope.web.explain;

import dev.vramscope.explain.LogExcerpt;
import dev.vramscope.explain.LogExplanation;
import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Conclusion;
import dev.vramscope.format.FormatException;
import dev.vramscope.intake.LogContent;
import dev.vramscope.intake.LogIntake;
import dev.vramscope.intake.ReceivedLog;
import dev.vramscope.intake.UploadClient;
import dev.vramscope.intake.UploadRequest;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.files.OriginalFile;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.listing.FailureAnswer;
import dev.vramscope.store.listing.SaveResult;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.problem.RefusedRequestException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Logs: explained as they arrive, and kept so that the answer has a link. */
@Component
final class StoredLogs {
  private static final Logger LOG = LoggerFactory.getLogger(StoredLogs.class);

  private final LogIntake intake;
  private final SnapshotStore store;

  StoredLogs(LogIntake intake, SnapshotStore store) {
    this.intake = intake;
    this.store = store;
  }

  /** Explains a log without keeping it. */
  SubmittedLog explain(InputStream body, String where) throws IOException {
    LogExcerpt log = SubmittedText.read(body, where);
    if (log.text().isBlank()) {
      throw RefusedRequestException.noText();
    }
    return SubmittedLog.unkept(log, LogExplanation.of(log));
  }

  /** Explains a log, and keeps it. A store that is full keeps nobody from the answer. */
  SubmittedLog keep(InputStream body, String where, UploadRequest request, UploadClient client)
      throws IOException {
    return SubmittedText.read(
        where,
        () -> {
          try (ReceivedLog received = intake.receive(body)) {
            return keep(received, request, client);
          }
        });
  }

  private SubmittedLog keep(ReceivedLog received, UploadRequest request, UploadClient client)
      throws IOException, FormatException {
    LogExcerpt log = LogExcerpt.read(received.text());
    if (log.text().isBlank()) {
      throw RefusedRequestException.noText();
    }
    LogExplanation explanation = LogExplanation.of(log);
    try {
      SaveResult saved = intake.store(received, producer(explanation), request, client);
      StoredSnapshot stored = saved.snapshot();
      setAnswer(stored, explanation);
      return new SubmittedLog(
          log, explanation, Optional.of(stored), saved.existed(), Optional.empty());
    } catch (StoreUnavailableException full) {
      return new SubmittedLog(
          log,
          explanation,
          Optional.empty(),
          /* existed= */ false,
          Optional.ofNullable(full.getMessage()));
    }
  }

  /**
   * Explains a stored file.
   *
   * @throws RefusedRequestException if it is no text
   */
  SubmittedLog open(StoredSnapshot stored) throws IOException {
    LogExcerpt log = text(stored.id());
    LogExplanation explanation = LogExplanation.of(log);
    setAnswer(stored, explanation);
    return new SubmittedLog(
        log, explanation, Optional.of(stored), /* existed= */ false, Optional.empty());
  }

  /** A stored file. */
  StoredSnapshot find(String id) {
    return store.get(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id));
  }

  /**
   * The text of a stored file.
   *
   * @throws RefusedRequestException if it is no text
   */
  LogExcerpt text(String id) throws IOException {
    try (OriginalFile original =
        store.original(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id))) {
      return SubmittedText.read(original.stream(), "the stored file");
    }
  }

  /**
   * The requests of a BFC allocator in a stored file, to be closed.
   *
   * @throws RefusedRequestException if it is no text
   */
  RequestLines requests(String id) throws IOException {
    OriginalFile original =
        store.original(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id));
    return SubmittedText.read(
        "the stored file", () -> new RequestLines(LogContent.open(original.stream())));
  }

  private static String producer(LogExplanation explanation) {
    return explanation.conclusions().stream()
        .findFirst()
        .map(conclusion -> conclusion.message().kind().program())
        .orElse("");
  }

  /** Sets what lists say about a log; the next who opens it tries again if the store is full. */
  private void setAnswer(StoredSnapshot stored, LogExplanation explanation) {
    if (!stored.isLog() || !explanation.isFailure()) {
      return;
    }
    try {
      explanation.conclusions().stream()
          .findFirst()
          .ifPresent(conclusion -> store.setAnswer(stored.id(), answer(conclusion)));
    } catch (StoreUnavailableException full) {
      LOG.warn("The answer about {} is not stored", stored.id(), full);
    }
  }

  private static FailureAnswer answer(Conclusion conclusion) {
    String headline = conclusion.headline();
    return new FailureAnswer(
        headline.endsWith(".") ? headline.substring(0, headline.length() - 1) : headline,
        conclusion.remedies().stream().findFirst().map(Advice::text).orElse(""));
  }
}
