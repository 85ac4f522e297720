package dev.vramscope.device.cuda;

/**
 * A card that the driver knows.
 *
 * @param name such as "NVIDIA H200"
 * @param bytes its memory
 * @param capability compute capability, such as 9.0
 * @param pciBusId where it is plugged in, or "" if the driver does not tell
 */
public record CudaCard(
    int ordinal, String name, long bytes, CudaVersion capability, String pciBusId) {
  String text() {
    return "cuda:%d %s (%.1f GiB)".formatted(ordinal, name, bytes / (double) (1L << 30));
  }
}
