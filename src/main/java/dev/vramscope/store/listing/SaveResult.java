package dev.vramscope.store.listing;

/**
 * The result of storing an upload.
 *
 * @param snapshot the stored snapshot
 * @param existed whether the same file was stored already
 */
public record SaveResult(StoredSnapshot snapshot, boolean existed) {}
