package dev.vramscope.allocator;

/** The events of an allocator: changes of blocks, segments and pages, and failed requests. */
public enum AllocatorEvent {
  /** A block was allocated. Bytes: the requested size. */
  ALLOC("alloc"),
  /** A client freed a block. Bytes: the requested size. */
  FREE_REQUESTED("free_requested"),
  /** A freed block is no longer used by any stream. Bytes: the requested size. */
  FREE_COMPLETED("free_completed"),
  /** A segment was acquired from the device. */
  SEGMENT_ALLOC("segment_alloc"),
  /** A segment was released to the device. */
  SEGMENT_FREE("segment_free"),
  /** Pages were mapped into an expandable segment. */
  SEGMENT_MAP("segment_map"),
  /** Pages were unmapped from an expandable segment. */
  SEGMENT_UNMAP("segment_unmap"),
  /** A snapshot was taken. Bytes: the active bytes at that moment. */
  SNAPSHOT("snapshot"),
  /** A request failed. Bytes: its rounded size. */
  OOM("oom"),
  /** A client attached a text to a block. Bytes: the requested size. */
  ANNOTATE("annotate");

  private final String torchName;

  AllocatorEvent(String torchName) {
    this.torchName = torchName;
  }

  /** The action's name in PyTorch's traces. */
  public String torchName() {
    return torchName;
  }

  /**
   * The event with this name.
   *
   * @throws IllegalArgumentException with PyTorch's message if there is none
   */
  public static AllocatorEvent ofTorchName(String name) {
    for (AllocatorEvent event : values()) {
      if (event.torchName.equals(name)) {
        return event;
      }
    }
    throw new IllegalArgumentException("Unknown TraceEntry action: " + name);
  }
}
