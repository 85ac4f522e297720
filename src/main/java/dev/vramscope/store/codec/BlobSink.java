package dev.vramscope.store.codec;

/** Receives the blobs of a snapshot as they are encoded. */
@FunctionalInterface
public interface BlobSink {
  void accept(BlobKey key, byte[] blob);
}
