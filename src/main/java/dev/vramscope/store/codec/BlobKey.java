package dev.vramscope.store.codec;

/**
 * The key of a blob within its snapshot.
 *
 * @param part the content of the blob
 * @param device index of the device in the snapshot, 0 for parts that belong to no device
 * @param chunk counted from 0
 */
public record BlobKey(BlobPart part, int device, int chunk) {
  static final BlobKey HEAD = new BlobKey(BlobPart.HEAD, 0, 0);

  @Override
  public String toString() {
    return part.label() + ", device " + device + ", chunk " + chunk;
  }
}
