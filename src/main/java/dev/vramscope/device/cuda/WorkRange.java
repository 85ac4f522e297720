package dev.vramscope.device.cuda;

/** What work can be done on. */
final class WorkRange {
  private WorkRange() {}

  static void require(long address, long bytes) {
    if (address % Long.BYTES != 0 || bytes < 0) {
      throw new IllegalArgumentException(
          "Work is done on a range of 0 bytes or more that begins at a multiple of 8, got %d at 0x%x."
              .formatted(bytes, address));
    }
  }
}
