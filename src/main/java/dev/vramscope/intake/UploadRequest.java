package dev.vramscope.intake;

import dev.vramscope.store.Tags;

/**
 * Metadata that a client sends with a file.
 *
 * @param name display name, never used as a path
 * @param tags for searching
 * @param declaredLength the declared length of the body in bytes, or -1
 */
public record UploadRequest(String name, Tags tags, long declaredLength) {}
