package dev.vramscope.format.torch;

import java.util.ArrayList;
import java.util.List;

/**
 * The dict keys of a snapshot that are evaluated. Their ordinals are their numbers in the text
 * table, so that a key is recognized without creating a string.
 */
enum Key {
  // Keys of an event, in the order in which PyTorch writes them.
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
  // Keys of a frame.
  NAME("name"),
  FILENAME("filename"),
  LINE("line"),
  FX_NODE_OP("fx_node_op"),
  FX_NODE_NAME("fx_node_name"),
  FX_NODE_TARGET("fx_node_target"),
  FX_ORIGINAL_TRACE("fx_original_trace"),
  // Keys of a block or segment.
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
  // Keys of the snapshot and of an annotation.
  SEGMENTS("segments"),
  DEVICE_TRACES("device_traces"),
  ALLOCATOR_SETTINGS("allocator_settings"),
  EXTERNAL_ANNOTATIONS("external_annotations"),
  HOST_SEGMENTS("host_segments"),
  HOST_TRACES("host_traces"),
  STAGE("stage"),
  // A setting that identifies the release of the producer.
  GRAPH_CAPTURE_RECORD_STREAM_REUSE("graph_capture_record_stream_reuse"),
  // Keys that vramscope adds.
  REQUESTED_SIZE_UNKNOWN("requested_size_unknown"),
  VRAMSCOPE("vramscope"),
  PRODUCER("producer"),
  CAPTURED_US("captured_us"),
  DEVICES("devices"),
  ALLOCATOR("allocator"),
  TOTAL_BYTES("total_bytes"),
  FREE_BYTES("free_bytes"),
  LIMIT_BYTES("limit_bytes"),
  SIMULATED("simulated"),
  FINDINGS("findings"),
  SEVERITY("severity"),
  CODE("code"),
  MESSAGE("message"),
  COUNT("count"),
  /** Any other key. */
  UNKNOWN("");

  private static final Key[] ALL = values();

  private final String text;

  Key(String text) {
    this.text = text;
  }

  /** The key as text. */
  String text() {
    return text;
  }

  /** The bit of this key in a set of keys. */
  long bit() {
    return 1L << ordinal();
  }

  /** The key with a text number. */
  static Key ofText(long number) {
    return number < UNKNOWN.ordinal() ? ALL[(int) number] : UNKNOWN;
  }

  /** The texts of all keys, in the order of their text numbers. */
  static List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (Key key : ALL) {
      if (key != UNKNOWN) {
        texts.add(key.text);
      }
    }
    return texts;
  }
}
