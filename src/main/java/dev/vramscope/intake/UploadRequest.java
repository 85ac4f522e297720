package dev.vramscope.intake;

import dev.vramscope.store.listing.Tags;
import org.jspecify.annotations.Nullable;

/**
 * Metadata that a client sends with a file.
 *
 * @param name display name, never used as a path; null if the client sent none
 * @param tags for searching
 * @param duplicate what happens to the tags if the file is stored already
 * @param declaredLength the declared length of the body in bytes, or -1
 */
public record UploadRequest(
    @Nullable String name, Tags tags, DuplicateTags duplicate, long declaredLength) {}
