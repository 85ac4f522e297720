package dev.vramscope.model;

import java.util.HashMap;
import java.util.Map;

/**
 * The kind of an allocator event, with the name that PyTorch writes: a change of a block, a segment
 * or pages, or a failed request.
 */
public enum TraceAction {
  /** A block was allocated. Bytes: the requested size. */
  ALLOC(0, "alloc"),
  /** A client freed a block. Bytes: the requested size. */
  FREE_REQUESTED(1, "free_requested"),
  /** A freed block is no longer used by any stream. Bytes: the requested size. */
  FREE_COMPLETED(2, "free_completed"),
  /** A segment was acquired from the device. Bytes: its size. */
  SEGMENT_ALLOC(3, "segment_alloc"),
  /** A segment was released to the device. Bytes: its size. */
  SEGMENT_FREE(4, "segment_free"),
  /** Pages were mapped into an expandable segment. Bytes: the size of the mapped range. */
  SEGMENT_MAP(5, "segment_map"),
  /** Pages were unmapped from an expandable segment. Bytes: the size of the unmapped range. */
  SEGMENT_UNMAP(6, "segment_unmap"),
  /** A snapshot was taken. Bytes: the active bytes at that moment. */
  SNAPSHOT(7, "snapshot"),
  /** A request failed. Bytes: its rounded size. */
  OOM(8, "oom"),
  /** Only in files of some PyTorch builds; the allocators here never report it. */
  USER_DEFINED(9, "user_defined"),
  /** A client attached a text to a block. Bytes: the requested size. */
  ANNOTATE(10, "annotate"),
  /** Not one of the above; {@link Trace#otherActions()} has its name. */
  OTHER(11, "");

  private static final TraceAction[] BY_CODE = new TraceAction[values().length];
  private static final Map<String, TraceAction> BY_TORCH_NAME = new HashMap<>();

  static {
    for (TraceAction action : values()) {
      BY_CODE[action.code] = action;
      BY_TORCH_NAME.put(action.torchName, action);
    }
  }

  private final byte code;
  private final String torchName;

  TraceAction(int code, String torchName) {
    this.code = (byte) code;
    this.torchName = torchName;
  }

  /** The number in columns, ring buffers, storage and live frames; it must never change. */
  public byte code() {
    return code;
  }

  /** The name in a snapshot file; empty for {@link #OTHER}. */
  public String torchName() {
    return torchName;
  }

  /** Whether the allocator acquires memory from the device. */
  public boolean acquires() {
    return this == SEGMENT_ALLOC || this == SEGMENT_MAP;
  }

  /** Whether the allocator releases memory to the device. */
  public boolean releases() {
    return this == SEGMENT_FREE || this == SEGMENT_UNMAP;
  }

  /** Whether the memory that the allocator holds changes. */
  public boolean isOfSegment() {
    return acquires() || releases();
  }

  /** The action with this name in a snapshot file; {@link #OTHER} if there is none. */
  public static TraceAction ofTorchName(String torchName) {
    return BY_TORCH_NAME.getOrDefault(torchName, OTHER);
  }

  /** The action with this number. */
  public static TraceAction ofCode(byte code) {
    return BY_CODE[code];
  }
}
