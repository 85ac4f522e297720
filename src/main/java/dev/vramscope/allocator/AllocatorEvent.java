package dev.vramscope.allocator;

/** What an allocator does with blocks, segments and pages. */
public enum AllocatorEvent {
  /** A block was handed out. Bytes: what was asked for. */
  ALLOC("alloc"),
  /** A block was freed by its client. Bytes: what was asked for. */
  FREE_REQUESTED("free_requested"),
  /** Every stream is done with a freed block. Bytes: what was asked for. */
  FREE_COMPLETED("free_completed"),
  /** A segment was acquired from the device. */
  SEGMENT_ALLOC("segment_alloc"),
  /** A segment was released to the device. */
  SEGMENT_FREE("segment_free"),
  /** Pages were mapped into an expandable segment. */
  SEGMENT_MAP("segment_map"),
  /** Pages were unmapped from an expandable segment. */
  SEGMENT_UNMAP("segment_unmap"),
  /** Somebody looked. Bytes: active at that moment. */
  SNAPSHOT("snapshot"),
  /** A request failed. Bytes: its rounded size. */
  OOM("oom"),
  /** A client attached a text to a block. Bytes: what was asked for. */
  ANNOTATE("annotate");

  private final String torchName;

  AllocatorEvent(String torchName) {
    this.torchName = torchName;
  }

  /** The name in PyTorch's traces. */
  public String torchName() {
    return torchName;
  }

  /**
   * The event of that name.
   *
   * @throws IllegalArgumentException with PyTorch's words if there is none
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
