package dev.vramscope.intake;

import dev.vramscope.model.Snapshot;

/**
 * A new snapshot was stored.
 *
 * @param id the id in the store
 * @param snapshot what was read from the upload, equal to what the store loads
 */
public record SnapshotStored(String id, Snapshot snapshot) {}
