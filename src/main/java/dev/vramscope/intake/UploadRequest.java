package dev.vramscope.intake;

import dev.vramscope.store.Tags;

/**
 * What a client says about the file it sends.
 *
 * @param name what to call it; only ever shown, never used as a path
 * @param tags for finding it again
 * @param declaredLength bytes it says the body has, or -1
 */
public record UploadRequest(String name, Tags tags, long declaredLength) {}
