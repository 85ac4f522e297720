package dev.vramscope.intake;

import dev.vramscope.store.StoredSnapshot;

/**
 * An accepted upload.
 *
 * @param snapshot where it is stored
 * @param existed whether the same file was stored before
 */
public record Receipt(StoredSnapshot snapshot, boolean existed) {}
