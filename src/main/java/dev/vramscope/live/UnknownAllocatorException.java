package dev.vramscope.live;

/** This process never hosted an allocator with this id. */
public final class UnknownAllocatorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long id;

  UnknownAllocatorException(long id) {
    super("Allocator " + id + " has not existed since this service started");
    this.id = id;
  }

  public long id() {
    return id;
  }
}
