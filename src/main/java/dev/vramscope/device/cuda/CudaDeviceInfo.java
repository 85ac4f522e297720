package dev.vramscope.device.cuda;

/**
 * A device that the driver lists.
 *
 * @param name such as "NVIDIA H200"
 * @param bytes the size of its memory
 * @param capability compute capability, such as 9.0
 * @param pciBusId the PCI bus id, or "" if the driver does not report it
 */
public record CudaDeviceInfo(
    int ordinal, String name, long bytes, CudaVersion capability, String pciBusId) {
  String text() {
    return "cuda:%d %s (%.1f GiB)".formatted(ordinal, name, bytes / (double) (1L << 30));
  }
}
