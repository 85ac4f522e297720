package dev.vramscope.web.oom;

import dev.vramscope.analysis.ledger.PoolMatch;
import dev.vramscope.analysis.ledger.PoolMatch.Agreement;
import dev.vramscope.analysis.ledger.PoolMatch.Compared;
import dev.vramscope.evidence.PoolText;
import dev.vramscope.inspection.DeviceInspection;
import dev.vramscope.intake.SnapshotStored;
import dev.vramscope.model.Certainty;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.RecordingKind;
import dev.vramscope.store.SnapshotPendingException;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.files.OriginalFile;
import dev.vramscope.store.files.StoreUnavailableException;
import dev.vramscope.store.listing.SnapshotFilter;
import dev.vramscope.store.listing.StoredSnapshot;
import dev.vramscope.web.problem.RefusedRequestException;
import dev.vramscope.web.snapshot.SnapshotCache;
import dev.vramscope.work.HeavyWork;
import dev.vramscope.work.WorkCancelledException;
import dev.vramscope.work.WorkKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Finds the log of a dump without its request among the stored files, and the dump of a log,
 * whichever was uploaded last: if all chunks are the same, the log is attached to the dump.
 */
@Component
final class DumpPartners {
  private static final Logger LOG = LoggerFactory.getLogger(DumpPartners.class);
  private static final String CLIENT = "background";

  /** Older uploads are not looked at. */
  private static final int MAX_SEARCHED = 500;

  /** The part of a log that is read. */
  private static final int MAX_LOG_BYTES = 16 << 20;

  private final SnapshotStore store;
  private final SnapshotCache snapshots;
  private final EvidenceTexts texts;
  private final HeavyWork work;

  DumpPartners(SnapshotStore store, SnapshotCache snapshots, EvidenceTexts texts, HeavyWork work) {
    this.store = store;
    this.snapshots = snapshots;
    this.texts = texts;
    this.work = work;
  }

  @EventListener
  void search(SnapshotStored stored) {
    List<DeviceSnapshot> devices = stored.history().snapshot().devices();
    if (devices.size() == 1 && devices.getFirst().kind() == RecordingKind.DUMP) {
      boolean isLog = !devices.getFirst().isFailedRequestUnknown();
      work.submit(WorkKind.BACKGROUND, CLIENT, () -> search(stored.id(), isLog), () -> {});
    }
  }

  private void search(String id, boolean isLog) {
    try {
      StoredSnapshot own = store.get(id).orElseThrow(() -> RefusedRequestException.noSnapshot(id));
      for (StoredSnapshot other :
          store.find(SnapshotFilter.snapshotsOf(null, null, MAX_SEARCHED))) {
        if (!other.id().equals(id)
            && hasSamePool(own, other)
            && (isLog ? attach(id, other.id()) : attach(other.id(), id))
            && !isLog) {
          return; // A dump has one log; a log may have several dumps, one for each attempt.
        }
      }
    } catch (RefusedRequestException
        | SnapshotPendingException
        | StoreUnavailableException
        | WorkCancelledException
        | IOException gone) {
      LOG.debug("No partner of the dump {} is searched", id, gone);
    }
  }

  private static boolean hasSamePool(StoredSnapshot a, StoredSnapshot b) {
    return !a.format().equals(b.format())
        && a.totals().blockCount() == b.totals().blockCount()
        && a.totals().segmentCount() == b.totals().segmentCount()
        && a.totals().reservedBytes() == b.totals().reservedBytes()
        && a.totals().allocatedBytes() == b.totals().allocatedBytes();
  }

  /** Attaches a log to a dump; whether they are of one moment. */
  private boolean attach(String log, String dump) throws IOException {
    Optional<DeviceInspection> device =
        snapshots.get(dump).main().filter(each -> each.device().isFailedRequestUnknown());
    Optional<String> excerpt = device.isEmpty() ? Optional.empty() : excerpt(log);
    Optional<PoolText> text = excerpt.flatMap(PoolText::parse);
    boolean isSame =
        text.isPresent()
            && PoolMatch.agreement(device.orElseThrow().device(), text.get())
                instanceof Compared.Same(Agreement agreement)
            && agreement.certainty() == Certainty.CERTAIN;
    if (isSame) {
      texts.attach(dump, device.orElseThrow().ordinal(), null, excerpt.orElseThrow());
    }
    return isSame;
  }

  private Optional<String> excerpt(String log) throws IOException {
    try (OriginalFile original =
        store.original(log).orElseThrow(() -> RefusedRequestException.noSnapshot(log))) {
      return PoolText.excerpt(
          new String(original.stream().readNBytes(MAX_LOG_BYTES), StandardCharsets.UTF_8));
    }
  }
}
