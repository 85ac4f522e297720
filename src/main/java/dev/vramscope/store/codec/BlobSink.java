package dev.vramscope.store.codec;

/** Takes the blobs of a snapshot as they are made. */
@FunctionalInterface
public interface BlobSink {
  void accept(BlobKey key, byte[] blob);
}
