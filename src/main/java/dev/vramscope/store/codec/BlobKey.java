package dev.vramscope.store.codec;

/**
 * The name of a blob within its snapshot.
 *
 * @param part what it holds
 * @param device the device's place in the snapshot, 0 for parts that belong to no device
 * @param chunk counted from 0
 */
public record BlobKey(Part part, int device, int chunk) {
  static final BlobKey HEAD = new BlobKey(Part.HEAD, 0, 0);

  @Override
  public String toString() {
    return part.words() + ", device " + device + ", chunk " + chunk;
  }
}
