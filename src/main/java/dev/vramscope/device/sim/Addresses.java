package dev.vramscope.device.sim;

/** How the addresses of a range are assigned. */
interface Addresses {
  /** An address for this many bytes; 0 if there is none. */
  long allocate(long bytes);

  void free(long address, long bytes);
}
