package dev.vramscope.live;

import dev.vramscope.model.Snapshot;
import dev.vramscope.store.Tags;

/** Where snapshots of hosted allocators are kept. */
@FunctionalInterface
public interface SnapshotKeeper {
  /**
   * A kept snapshot.
   *
   * @param id its id where it is kept
   * @param oomCount failed requests in its trace; the latest is the last of them
   */
  record Kept(String id, int oomCount) {}

  /**
   * Keeps a snapshot; it is safe when this returns.
   *
   * @param name what to call it; only ever shown
   * @throws dev.vramscope.store.StoreUnavailableException if it cannot be kept now
   */
  Kept keep(Snapshot snapshot, String name, Tags tags);
}
