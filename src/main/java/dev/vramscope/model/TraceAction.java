package dev.vramscope.model;

import java.util.HashMap;
import java.util.Map;

/** The kind of a trace event, with the name that PyTorch writes. */
public enum TraceAction {
  ALLOC(0, "alloc"),
  FREE_REQUESTED(1, "free_requested"),
  FREE_COMPLETED(2, "free_completed"),
  SEGMENT_ALLOC(3, "segment_alloc"),
  SEGMENT_FREE(4, "segment_free"),
  SEGMENT_MAP(5, "segment_map"),
  SEGMENT_UNMAP(6, "segment_unmap"),
  SNAPSHOT(7, "snapshot"),
  OOM(8, "oom"),
  USER_DEFINED(9, "user_defined"),
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

  /** The number in columns, in memory and in storage; it must never change. */
  public byte code() {
    return code;
  }

  /** The name in a snapshot file; empty for {@link #OTHER}. */
  public String torchName() {
    return torchName;
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
