package dev.vramscope.live.feed;

/** As many look at live allocators as may. */
public final class TooManyViewersException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int mostViewers;

  TooManyViewersException(int mostViewers) {
    super(mostViewers + " browsers look at live allocators already");
    this.mostViewers = mostViewers;
  }

  public int mostViewers() {
    return mostViewers;
  }
}
