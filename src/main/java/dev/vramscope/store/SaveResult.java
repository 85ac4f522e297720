package dev.vramscope.store;

/**
 * What became of an upload.
 *
 * @param snapshot the stored one
 * @param existed whether the same file was stored before
 */
public record SaveResult(StoredSnapshot snapshot, boolean existed) {}
