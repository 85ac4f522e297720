package dev.vramscope.live;

/** There never was a hosted allocator with this number. */
public final class UnknownAllocatorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long id;

  UnknownAllocatorException(long id) {
    super("There is no hosted allocator " + id);
    this.id = id;
  }

  public long id() {
    return id;
  }
}
