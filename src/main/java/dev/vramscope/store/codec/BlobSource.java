package dev.vramscope.store.codec;

import org.jspecify.annotations.Nullable;

/** Returns the blobs of a snapshot. */
@FunctionalInterface
public interface BlobSource {
  /** The blob with this key, or null if there is none. */
  byte @Nullable [] get(BlobKey key);
}
