package dev.vramscope.web;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Valid snapshots with more or longer parts than any program records, by name. */
final class HostileShapes {
  private static final long BASE = 1L << 40;
  private static final long SEGMENT_BYTES = 2 << 20;

  private HostileShapes() {}

  static Map<String, byte[]> all() {
    Map<String, byte[]> shapes = new LinkedHashMap<>();
    shapes.put("one-stack-of-100,000-frames", trace(1, event -> stack(event, 100_000, "f")));
    // A quotation mark takes six bytes in HTML and two in JSON.
    shapes.put("stacks", trace(100, event -> stack(event, 1_000, "\\\"".repeat(50))));
    shapes.put("long-texts", longTexts());
    shapes.put("many-rows", manyRows(30_000));
    shapes.put("many-devices", manyDevices());
    return shapes;
  }

  private static byte[] longTexts() {
    String text = "\\\"".repeat(20_000);
    String settings = list(3_000, i -> "\"k" + i + "\": \"" + "v".repeat(500) + "\"");
    return file(
        list(300, i -> segment(i, 0, frames(i, text))),
        list(
            300,
            i ->
                event("alloc", i, frames(i, text) + ", \"user_metadata\": \"" + text + "\"")
                    + ",\n"
                    + event(text + i, i, "\"frames\": []")),
        ", \"allocator_settings\": {\"long\": \""
            + text
            + "\", "
            + settings
            + "}"
            + ", \""
            + text
            + "\": 1, \"external_annotations\": ["
            + list(300, i -> "{\"name\": \"" + text + "\", \"stage\": \"START\"}")
            + "]");
  }

  private static byte[] manyRows(int count) {
    return file(
        list(count, i -> segment(i, i, frames(i, "f" + i))),
        list(count, i -> event("alloc", i, frames(i, "f" + i)))
            + ","
            + list(count, i -> event("oom", i, frames(i, "f" + i))),
        "");
  }

  private static byte[] manyDevices() {
    String segments =
        list(
            128,
            i ->
                segment(i, 0, frames(i, "f"))
                    .replace("{\"address\"", "{\"device\": " + i + ", \"address\""));
    return ("{\"segments\": ["
            + segments
            + "], \"device_traces\": ["
            + list(100_000, i -> "[]")
            + "]}")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] trace(int events, IntFunction<String> stack) {
    return file(
        list(events, i -> segment(i, 0, "\"frames\": []")),
        list(events, i -> event("alloc", i, stack.apply(i))),
        "");
  }

  private static byte[] file(String segments, String events, String more) {
    return ("{\"segments\": [" + segments + "], \"device_traces\": [[" + events + "]]" + more + "}")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String segment(int number, int stream, String frames) {
    long address = address(number);
    return "{\"address\": "
        + address
        + ", \"total_size\": "
        + SEGMENT_BYTES
        + ", \"stream\": "
        + stream
        + ", \"segment_pool_id\": ["
        + stream
        + ", "
        + stream
        + "]"
        + ", \"blocks\": [{\"address\": "
        + address
        + ", \"size\": 1048576, \"requested_size\": 1000000, \"state\": \"active_allocated\", "
        + frames
        + "}]}";
  }

  private static String event(String action, int number, String frames) {
    return "{\"action\": \""
        + action
        + "\", \"addr\": "
        + address(number)
        + ", \"size\": 1000000, \"stream\": 0, "
        + frames
        + "}";
  }

  private static long address(int number) {
    return BASE + SEGMENT_BYTES * number;
  }

  private static String frames(int line, String name) {
    return "\"frames\": [" + frame(name, line) + "]";
  }

  private static String stack(int event, int length, String name) {
    return "\"frames\": [" + list(length, i -> frame(name + event, i)) + "]";
  }

  private static String frame(String name, int line) {
    return "{\"name\": \""
        + name
        + "\", \"filename\": \"/src/"
        + name
        + ".py\", \"line\": "
        + line
        + "}";
  }

  private static String list(int count, IntFunction<String> each) {
    return IntStream.range(0, count).mapToObj(each).collect(Collectors.joining(","));
  }
}
