package dev.vramscope.format.torch;

import java.util.ArrayList;
import java.util.List;

/**
 * The dict keys a snapshot's meaning hangs on. Their ordinals are their numbers in the text table,
 * so that recognising one costs no string.
 */
enum Key {
  // An event's, in the order in which they are written.
  ACTION("action"),
  ADDR("addr"),
  SIZE("size"),
  STREAM("stream"),
  TIME_US("time_us"),
  COMPILE_CONTEXT("compile_context"),
  USER_METADATA("user_metadata"),
  POOL_ID("pool_id"),
  FRAMES("frames"),
  DEVICE_FREE("device_free"),
  INTERNAL_METADATA("internal_metadata"),
  CATEGORY("category"),
  // A frame's.
  NAME("name"),
  FILENAME("filename"),
  LINE("line"),
  FX_NODE_OP("fx_node_op"),
  FX_NODE_NAME("fx_node_name"),
  FX_NODE_TARGET("fx_node_target"),
  FX_ORIGINAL_TRACE("fx_original_trace"),
  // A block's and a segment's.
  ADDRESS("address"),
  REQUESTED_SIZE("requested_size"),
  STATE("state"),
  HISTORY("history"),
  REAL_SIZE("real_size"),
  DEVICE("device"),
  TOTAL_SIZE("total_size"),
  ALLOCATED_SIZE("allocated_size"),
  ACTIVE_SIZE("active_size"),
  SEGMENT_TYPE("segment_type"),
  SEGMENT_POOL_ID("segment_pool_id"),
  IS_EXPANDABLE("is_expandable"),
  BLOCKS("blocks"),
  // The snapshot's own and an annotation's.
  SEGMENTS("segments"),
  DEVICE_TRACES("device_traces"),
  ALLOCATOR_SETTINGS("allocator_settings"),
  EXTERNAL_ANNOTATIONS("external_annotations"),
  HOST_SEGMENTS("host_segments"),
  HOST_TRACES("host_traces"),
  STAGE("stage"),
  // A setting whose presence dates the writer.
  GRAPH_CAPTURE_RECORD_STREAM_REUSE("graph_capture_record_stream_reuse"),
  /** Any other key. */
  UNKNOWN("");

  private static final Key[] ALL = values();

  private final String word;

  Key(String word) {
    this.word = word;
  }

  /** The word in the file. */
  String word() {
    return word;
  }

  /** The bit by which {@link Producer} remembers that the key was met. */
  long bit() {
    return 1L << ordinal();
  }

  /** The key of a text number. */
  static Key ofText(long number) {
    return number < UNKNOWN.ordinal() ? ALL[(int) number] : UNKNOWN;
  }

  /** The words of all keys, in the order of their text numbers. */
  static List<String> words() {
    List<String> words = new ArrayList<>();
    for (Key key : ALL) {
      if (key != UNKNOWN) {
        words.add(key.word);
      }
    }
    return words;
  }
}
