package dev.vramscope.live.feed;

/** As many look at live allocators as may. */
public final class TooManyViewersException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int maxViewers;

  TooManyViewersException(int maxViewers) {
    super(maxViewers + " browsers look at live allocators already");
    this.maxViewers = maxViewers;
  }

  public int maxViewers() {
    return maxViewers;
  }
}
