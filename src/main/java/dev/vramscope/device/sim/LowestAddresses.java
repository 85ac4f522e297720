package dev.vramscope.device.sim;

/** Addresses from the lowest on; freed ones are used again, or never. */
final class LowestAddresses implements Addresses {
  private final FreeAddresses free;
  private final boolean reuses;

  LowestAddresses(long base, long bytes, boolean reuses) {
    free = new FreeAddresses(base, bytes);
    this.reuses = reuses;
  }

  @Override
  public long allocate(long bytes) {
    return free.takeLowest(bytes);
  }

  @Override
  public void free(long address, long bytes) {
    if (reuses) {
      free.add(address, bytes);
    }
  }
}
