package dev.vramscope.intake;

import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.store.files.Spool;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.listing.SaveResult;
import java.io.IOException;
import java.io.InputStream;
import org.springframework.stereotype.Component;

/**
 * Receives logs, and stores them as they are. A log that is a snapshot as well is stored as one.
 */
@Component
public final class LogIntake {
  private final Spool spool;
  private final Intake intake;

  LogIntake(Spool spool, Intake intake) {
    this.spool = spool;
    this.intake = intake;
  }

  /**
   * Begins to receive a log.
   *
   * @throws FormatException if it is damaged, or no text
   */
  public ReceivedLog receive(InputStream body) throws IOException, FormatException {
    LogCopy copy = new LogCopy(spool);
    try {
      return LogContent.open(body, copy);
    } catch (IOException | FormatException | RuntimeException refused) {
      copy.close();
      throw refused;
    }
  }

  /**
   * Stores a log that was read to its end, unless it is stored already.
   *
   * @param producer who wrote its first message
   * @throws StoreUnavailableException if it cannot be stored
   * @throws FormatException if it is a snapshot as well, and too large to be read
   */
  public SaveResult store(
      ReceivedLog log, String producer, UploadRequest request, UploadClient client)
      throws IOException, FormatException {
    ReceivedFile received = log.copy().received(log.format());
    if (log.format() != SniffedFormat.LOG) {
      try {
        return intake.save(received, request, client);
      } catch (FormatException noSnapshot) {
        if (noSnapshot.reason() == Reason.TOO_LARGE && !log.format().isLog()) {
          throw noSnapshot;
        }
        // It begins like one, and is kept as the text that it is.
      }
    }
    return intake.saveLog(received, producer, request);
  }
}
