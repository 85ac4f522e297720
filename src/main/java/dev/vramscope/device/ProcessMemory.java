package dev.vramscope.device;

/**
 * What one process holds on a device.
 *
 * @param pid the process, or {@link #SELF}
 */
public record ProcessMemory(long pid, long usedBytes) {
  /** Stands for the process that asks. */
  public static final long SELF = 0;

  public boolean isSelf() {
    return pid == SELF;
  }
}
