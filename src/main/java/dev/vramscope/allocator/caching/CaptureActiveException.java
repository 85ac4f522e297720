package dev.vramscope.allocator.caching;

/** The memory of a private pool was to be released during a graph capture. */
public final class CaptureActiveException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  CaptureActiveException() {
    super(
        "The cache of a private pool cannot be emptied while a graph capture is in progress; end"
            + " the capture first.");
  }
}
