package dev.vramscope.device;

/**
 * The device memory that one process uses.
 *
 * @param pid the process, or {@link #SELF}
 */
public record ProcessMemory(long pid, long usedBytes) {
  /** The pid that represents the calling process. */
  public static final long SELF = 0;

  public boolean isSelf() {
    return pid == SELF;
  }
}
