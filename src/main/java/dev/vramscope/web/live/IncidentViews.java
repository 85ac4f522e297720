package dev.vramscope.web.live;

import dev.vramscope.live.HostedAllocator;
import dev.vramscope.live.Incident;
import dev.vramscope.store.SnapshotPendingException;
import dev.vramscope.store.SnapshotStore;
import dev.vramscope.store.files.StoreUnavailableException;
import java.util.List;
import org.springframework.stereotype.Component;

/** Incidents with links to their snapshots, unless these were deleted. */
@Component
public final class IncidentViews {
  private final SnapshotStore store;

  IncidentViews(SnapshotStore store) {
    this.store = store;
  }

  /** The latest incidents, newest first. */
  List<IncidentView> latest(HostedAllocator hosted, int limit) {
    return hosted.incidents().stream().limit(limit).map(each -> of(each, hosted)).toList();
  }

  IncidentView of(Incident incident, HostedAllocator hosted) {
    return IncidentView.of(incident, hosted.deviceBytes(), this::exists);
  }

  /**
   * Whether a snapshot can be linked to; while the store is unavailable, it is assumed to exist.
   */
  boolean exists(String id) {
    try {
      return store.get(id).isPresent();
    } catch (StoreUnavailableException | SnapshotPendingException later) {
      return true;
    }
  }
}
