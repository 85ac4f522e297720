package dev.vramscope.live;

/** This process never hosted an allocator with this number. */
public final class UnknownAllocatorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long id;

  UnknownAllocatorException(long id) {
    super("There is no hosted allocator " + id + ", and was none since this service started");
    this.id = id;
  }

  public long id() {
    return id;
  }
}
