package dev.vramscope.intake;

import dev.vramscope.analysis.SnapshotHistory;

/**
 * A new snapshot was stored.
 *
 * @param id the id in the store
 * @param history of what was read from the upload, which is equal to what the store loads
 */
public record SnapshotStored(String id, SnapshotHistory history) {}
