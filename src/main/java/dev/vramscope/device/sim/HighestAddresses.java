package dev.vramscope.device.sim;

/** Addresses from the highest on, as Linux maps large pieces of host memory. */
final class HighestAddresses implements Addresses {
  private final FreeAddresses free;

  HighestAddresses(long base, long bytes) {
    free = new FreeAddresses(base, bytes);
  }

  @Override
  public long allocate(long bytes) {
    return free.takeHighest(bytes);
  }

  @Override
  public void free(long address, long bytes) {
    free.add(address, bytes);
  }
}
