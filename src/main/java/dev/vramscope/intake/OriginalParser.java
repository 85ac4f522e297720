package dev.vramscope.intake;

import dev.vramscope.analysis.SnapshotHistory;
import dev.vramscope.analysis.SnapshotResults;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.Snapshot;
import dev.vramscope.store.OriginalReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.PushbackInputStream;
import org.springframework.stereotype.Component;

/** Reads stored originals, in the same share of the heap as uploads. */
@Component
final class OriginalParser implements OriginalReader {
  private final HeapBudget heap;
  private final ReadLimits limits;
  private final AnalysisLimit analysisLimit;

  OriginalParser(HeapBudget heap, IntakeLimits limits, AnalysisLimit analysisLimit) {
    this.heap = heap;
    this.analysisLimit = analysisLimit;
    this.limits = ReadLimits.defaults().withMaxBytes(limits.maxUncompressed().toBytes());
  }

  /** What is a text and no snapshot was stored as a log; see {@link LogIntake}. */
  private Snapshot read(byte[] head, InputStream file) throws FormatException, IOException {
    SniffedFormat format = LogContent.format(head);
    try {
      return format.read(file, limits);
    } catch (FormatException none) {
      boolean isTooLarge = none.reason() == FormatException.Reason.TOO_LARGE;
      if (format.isLog() || (FormatSniffer.isText(head) && !isTooLarge)) {
        return Snapshot.ofLog("");
      }
      throw none;
    }
  }

  @Override
  public Content read(InputStream original, long bytes) throws IOException {
    try (HeapBudget.Reservation _ = heap.reserve(bytes)) {
      PushbackInputStream file = new PushbackInputStream(original, FormatSniffer.HEAD);
      byte[] head = file.readNBytes(FormatSniffer.HEAD);
      file.unread(head);
      Snapshot snapshot = read(head, file);
      analysisLimit.require(snapshot); // The file may have been uploaded with more heap.
      SnapshotResults results = SnapshotResults.of(SnapshotHistory.of(snapshot));
      return new Content(snapshot, results.peakBytes(), results.findingCount());
    } catch (FormatException unreadable) {
      throw new IOException(
          unreadable.what()
              + " ("
              + unreadable.where()
              + ")."
              + (unreadable.reason() == FormatException.Reason.TOO_LARGE
                  ? " " + unreadable.next()
                  : ""),
          unreadable);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The service is shutting down");
    }
  }
}
