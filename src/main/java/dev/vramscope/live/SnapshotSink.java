package dev.vramscope.live;

import dev.vramscope.model.Snapshot;
import dev.vramscope.store.Tags;

/** Where snapshots of hosted allocators are kept. */
@FunctionalInterface
public interface SnapshotSink {
  /**
   * A kept snapshot.
   *
   * @param id its id where it is kept
   * @param oomCount failed requests in its trace; the latest is the last of them
   */
  record Stored(String id, int oomCount) {}

  /**
   * Keeps a snapshot; it is safe when this returns.
   *
   * @param name what to call it; only ever shown
   * @throws dev.vramscope.store.StoreUnavailableException if it cannot be kept now
   */
  Stored store(Snapshot snapshot, String name, Tags tags);
}
