package dev.vramscope.live;

/** No client holds this block: it was freed already, or belongs to a workload. */
public final class UnknownBlockException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnknownBlockException(long block) {
    super("No client holds the block 0x" + Long.toHexString(block));
  }
}
