package dev.vramscope.compiled;

import java.util.Collection;
import java.util.Optional;

/**
 * Bytes of buffers beyond their elements: tiles of a layout, or what the compiler added.
 *
 * @param bytes of the buffers that are compared
 * @param paddingBytes of it, beyond the elements
 * @param isTiled whether a layout has tiles
 */
public record Padding(long bytes, long paddingBytes, boolean isTiled) {
  /** The padding of buffers that are live together; empty if no shape is known. */
  public static Optional<Padding> of(Collection<ProgramBuffer> buffers) {
    long bytes = 0;
    long padding = 0;
    boolean isTiled = false;
    for (ProgramBuffer buffer : buffers) {
      Optional<ArrayShape> shape = ArrayShape.of(buffer.shape());
      if (shape.isPresent()) {
        bytes += buffer.bytes();
        padding += Math.max(0, buffer.bytes() - shape.get().bytes());
        isTiled |= buffer.shape().contains(":T(");
      }
    }
    return bytes == 0 ? Optional.empty() : Optional.of(new Padding(bytes, padding, isTiled));
  }
}
