package dev.vramscope.intake;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import dev.vramscope.analysis.SnapshotHistory;
import dev.vramscope.analysis.SnapshotResults;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.Snapshot;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.files.Spool;
import dev.vramscope.store.files.SpoolFile;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.listing.SaveResult;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.store.listing.Tags;
import dev.vramscope.store.listing.Upload;
import dev.vramscope.work.HeavyWork;
import dev.vramscope.work.Requester;
import dev.vramscope.work.WorkKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/** Receives an upload, which is untrusted, reads it into the model and stores it. */
@Component
public final class Intake {
  private static final Logger LOG = LoggerFactory.getLogger(Intake.class);

  private final Spool spool;
  private final SnapshotStore store;
  private final UploadReceiver receiver;
  private final ReadLimits readLimits;
  private final ReceivingUploads receiving;
  private final HeapBudget heap;
  private final ApplicationEventPublisher events;
  private final HeavyWork work;

  Intake(
      Spool spool,
      SnapshotStore store,
      HeapBudget heap,
      IntakeLimits limits,
      IntakeSettings settings,
      HeavyWork work,
      ApplicationEventPublisher events) {
    this.spool = spool;
    this.store = store;
    receiver = new UploadReceiver(limits);
    readLimits = ReadLimits.defaults().withMaxBytes(limits.maxUncompressed().toBytes());
    receiving =
        new ReceivingUploads(
            settings.maxReceiving(), settings.maxReceivingPerAddress(), System::nanoTime);
    this.heap = heap;
    this.events = events;
    this.work = work;
  }

  /** Stores a file of this program itself, such as a sample. */
  public SaveResult accept(InputStream body, UploadRequest request)
      throws FormatException, IOException {
    return accept(body, request, UploadClient.LOCAL);
  }

  /**
   * Reads the body to its end and stores it.
   *
   * @throws FormatException if the file is too large, damaged or not a snapshot
   * @throws UploadInterruptedException if the client did not send the whole body
   * @throws IntakeBusyException if too many uploads are in progress
   * @throws StoreUnavailableException if it cannot be stored
   */
  public SaveResult accept(InputStream body, UploadRequest request, UploadClient client)
      throws FormatException, IOException {
    long start = System.nanoTime();
    try (SpoolFile file = spool.create()) {
      ReceivedFile received = receive(body, request, client, file);
      SaveResult saved = save(received, request, client);
      LOG.info(
          "{} {} \"{}\": {} bytes in {} ms",
          saved.existed() ? "Already stored:" : "Stored",
          saved.snapshot().id(),
          saved.snapshot().name(),
          received.bytes(),
          (System.nanoTime() - start) / 1_000_000);
      return saved;
    } catch (FormatException | UploadInterruptedException | StoreUnavailableException rejected) {
      LOG.info(
          "Rejected \"{}\": {}",
          Objects.requireNonNullElse(request.name(), "without a name"),
          rejected.getMessage());
      throw rejected;
    }
  }

  /** Receives the body and detects its format. A slow client costs a file and two buffers. */
  private ReceivedFile receive(
      InputStream body, UploadRequest request, UploadClient client, SpoolFile file)
      throws FormatException, IOException {
    try (ReceivingUploads.Place place = receiving.begin(client)) {
      return receiver.receive(body, request.declaredLength(), place, file);
    }
  }

  /** Stores a log, unless the same file is stored already. */
  SaveResult saveLog(ReceivedFile received, String producer, UploadRequest request) {
    Snapshot log = Snapshot.ofLog(producer);
    SaveResult saved =
        store.save(
            log, upload(received, request, log, /* peakBytes= */ null, /* findingCount= */ 0));
    return withTags(saved, request);
  }

  /** Reads the file into the model and stores it, unless the same file is stored already. */
  SaveResult save(ReceivedFile received, UploadRequest request, UploadClient client)
      throws FormatException, IOException {
    Optional<StoredSnapshot> stored = store.findByHash(received.sha256());
    SaveResult saved =
        stored.isPresent()
            ? new SaveResult(stored.get(), /* existed= */ true)
            : saveNew(received, request, client);
    return withTags(saved, request);
  }

  private SaveResult withTags(SaveResult saved, UploadRequest request) {
    return saved.existed() && request.duplicate() == DuplicateTags.ADD
        ? new SaveResult(withTags(saved.snapshot(), request.tags()), /* existed= */ true)
        : saved;
  }

  private static Upload upload(
      ReceivedFile received,
      UploadRequest request,
      Snapshot snapshot,
      @Nullable Long peakBytes,
      int findingCount) {
    String name = request.name();
    return new Upload(
        name == null ? DefaultName.of(request.tags(), snapshot, Instant.now()) : name,
        request.tags(),
        received.sha256(),
        received.bytes(),
        received.spooled().path(),
        peakBytes,
        findingCount);
  }

  /** What is made of a file. */
  private record ReadFile(SnapshotHistory history, SnapshotResults results) {}

  private StoredSnapshot withTags(StoredSnapshot stored, Tags added) {
    Tags tags = stored.tags().withMissing(added);
    return store.update(stored.id(), stored.name(), tags).orElse(stored);
  }

  private SaveResult saveNew(ReceivedFile received, UploadRequest request, UploadClient client)
      throws FormatException, IOException {
    try (HeapBudget.Reservation _ = heap.reserve(received.bytes())) {
      ReadFile file = readInTurn(received, client);
      Snapshot snapshot = file.history().snapshot();
      SnapshotResults results = file.results();
      SaveResult saved =
          store.save(
              snapshot,
              upload(received, request, snapshot, results.peakBytes(), results.findingCount()));
      if (!saved.existed() && !snapshot.origin().isCompiled()) {
        events.publishEvent(new SnapshotStored(saved.snapshot().id(), file.history()));
      }
      return saved;
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The service is shutting down; nothing was stored");
    }
  }

  /** The whole file is here: it is read also if its sender has left. */
  private ReadFile readInTurn(ReceivedFile received, UploadClient client)
      throws FormatException, IOException {
    try {
      return work.run(
          WorkKind.INGEST,
          Requester.waiting(client.address()),
          () -> {
            SnapshotHistory history = SnapshotHistory.of(read(received));
            return new ReadFile(history, SnapshotResults.of(history));
          });
    } catch (FormatException | IOException | RuntimeException failed) {
      throw failed;
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private Snapshot read(ReceivedFile received) throws FormatException, IOException {
    try (InputStream file =
        new PausingStream(new ZstdInputStreamNoFinalizer(received.spooled().input()))) {
      Snapshot snapshot = received.format().read(file, readLimits);
      if (snapshot.devices().isEmpty() && !snapshot.origin().isCompiled()) {
        throw new FormatException(
            FormatException.Reason.NOT_A_SNAPSHOT,
            snapshot.pinnedHost().isPresent()
                ? "the snapshot has pinned host memory, but no GPU has a segment or an event"
                : "the snapshot is empty: no device has a segment or an event",
            "segments, device_traces",
            "Call torch.cuda.memory._record_memory_history() before the first allocation, and dump"
                + " the snapshot in the process that uses the GPU.");
      }
      AnalysisLimit.ofThisHeap().require(snapshot);
      return snapshot;
    }
  }
}
