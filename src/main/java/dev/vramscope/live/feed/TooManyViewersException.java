package dev.vramscope.live.feed;

/** The maximum number of viewers is connected. */
public final class TooManyViewersException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int maxViewers;

  TooManyViewersException(int maxViewers) {
    super(maxViewers + " browsers are already connected to live allocators");
    this.maxViewers = maxViewers;
  }

  public int maxViewers() {
    return maxViewers;
  }
}
