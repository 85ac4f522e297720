package dev.vramscope.store.codec;

import org.jspecify.annotations.Nullable;

/** Gives back the blobs of a snapshot. */
@FunctionalInterface
public interface BlobSource {
  /** The blob, or null if there is none of that name. */
  byte @Nullable [] get(BlobKey key);
}
