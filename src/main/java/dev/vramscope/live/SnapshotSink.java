package dev.vramscope.live;

import dev.vramscope.model.Snapshot;
import dev.vramscope.store.Tags;

/** Stores snapshots of hosted allocators. */
@FunctionalInterface
public interface SnapshotSink {
  /**
   * A stored snapshot.
   *
   * @param id its id in the store
   * @param oomCount failed requests in its trace; the last of them is the latest
   */
  record Stored(String id, int oomCount) {}

  /**
   * Stores a snapshot; it is durable when this returns.
   *
   * @param name a display name
   * @throws dev.vramscope.store.StoreUnavailableException if it cannot be stored now
   */
  Stored store(Snapshot snapshot, String name, Tags tags);
}
