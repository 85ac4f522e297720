package dev.vramscope.live;

import dev.vramscope.model.Snapshot;
import dev.vramscope.store.listing.Tags;

/** Stores snapshots of hosted allocators. */
@FunctionalInterface
public interface SnapshotSink {
  /**
   * Stores a snapshot; it is durable when this returns.
   *
   * @param name a display name
   * @return its id in the store
   * @throws dev.vramscope.store.files.StoreUnavailableException if it cannot be stored now
   */
  String store(Snapshot snapshot, String name, Tags tags);
}
