package dev.vramscope.intake;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.Snapshot;
import dev.vramscope.store.SaveResult;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.Spool;
import dev.vramscope.store.SpoolFile;
import dev.vramscope.store.StoreUnavailableException;
import dev.vramscope.store.Upload;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** The door: a stream of bytes that anybody may send becomes a stored snapshot, or nothing. */
@Component
public final class Intake {
  private static final Logger LOG = LoggerFactory.getLogger(Intake.class);

  private final Spool spool;
  private final SnapshotStore store;
  private final Reception reception;
  private final ReadLimits readLimits;
  private final Semaphore receiving;
  private final int maxReceiving;
  private final HeapRoom room;

  Intake(Spool spool, SnapshotStore store, IntakeLimits limits, IntakeSettings settings) {
    this.spool = spool;
    this.store = store;
    reception = new Reception(limits);
    readLimits = ReadLimits.defaults().withMaxBytes(limits.maxUncompressed().toBytes());
    maxReceiving = settings.maxReceiving();
    receiving = new Semaphore(maxReceiving);
    room = new HeapRoom(Runtime.getRuntime().maxMemory() / 100 * settings.heapPercent());
  }

  /**
   * Reads the body to its end and stores it.
   *
   * @throws FormatException when it is refused: too large, damaged, or something else
   * @throws UploadInterruptedException when the client did not send all of it
   * @throws IntakeBusyException when too many are sending at once
   * @throws StoreUnavailableException when it cannot be stored
   */
  public SaveResult accept(InputStream body, UploadRequest request)
      throws FormatException, IOException {
    long start = System.nanoTime();
    try (SpoolFile file = spool.create()) {
      Received received = receive(body, request, file);
      SaveResult saved = save(received, request);
      LOG.info(
          "{} {} \"{}\": {} bytes in {} ms",
          saved.existed() ? "Known" : "Stored",
          saved.snapshot().id(),
          LogText.escape(request.name()),
          received.bytes(),
          (System.nanoTime() - start) / 1_000_000);
      return saved;
    } catch (FormatException | UploadInterruptedException | StoreUnavailableException refused) {
      LOG.info(
          "Refused \"{}\": {}",
          LogText.escape(request.name()),
          LogText.escape(String.valueOf(refused.getMessage())));
      throw refused;
    }
  }

  /** Rung 1 and 2: off the wire and recognised. Slow clients cost a file and a small buffer. */
  private Received receive(InputStream body, UploadRequest request, SpoolFile file)
      throws FormatException, IOException {
    if (!receiving.tryAcquire()) {
      throw new IntakeBusyException(maxReceiving);
    }
    try {
      return reception.receive(body, request.declaredLength(), file);
    } finally {
      receiving.release();
    }
  }

  /** Rung 3 and 4: read, unless the very file is here already, and stored. */
  private SaveResult save(Received received, UploadRequest request)
      throws FormatException, IOException {
    Optional<SaveResult> known = store.retag(received.sha256(), request.tags());
    if (known.isPresent()) {
      return known.get();
    }
    try (HeapRoom.Lease _ = room.take(received.bytes())) {
      Snapshot snapshot = read(received);
      return store.save(
          snapshot,
          new Upload(
              request.name(),
              request.tags(),
              received.sha256(),
              received.bytes(),
              received.packed().path()));
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The service is stopping; nothing was stored");
    }
  }

  private Snapshot read(Received received) throws FormatException, IOException {
    try (InputStream file = new ZstdInputStreamNoFinalizer(received.packed().input())) {
      Snapshot snapshot = received.format().read(file, readLimits);
      if (snapshot.devices().isEmpty()) {
        throw new FormatException(
            FormatException.Reason.NOT_A_SNAPSHOT,
            "this snapshot is empty: no device has a segment or an event",
            "segments, device_traces",
            "Call torch.cuda.memory._record_memory_history() before the first allocation, and take"
                + " the snapshot in the process that uses the GPU.");
      }
      return snapshot;
    }
  }
}
