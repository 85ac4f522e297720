package dev.vramscope.format.xplane;

import com.google.protobuf.CodedOutputStream;
import dev.vramscope.format.xla.XlaFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes small profiles of XProf as the original does: names after the events that have them. */
final class Xplanes {
  private final String plane;
  private final Map<String, Long> events = new LinkedHashMap<>();
  private final Map<String, Long> stats = new LinkedHashMap<>();
  private final Map<Long, List<byte[]>> lines = new LinkedHashMap<>();

  Xplanes(String plane) {
    this.plane = plane;
  }

  private static long number(Map<String, Long> names, String name) {
    return names.computeIfAbsent(name, _ -> names.size() + 1L);
  }

  /**
   * Adds an event.
   *
   * @param line the number of the thread
   * @param nanos after the start of the line, which is that of the whole second of its number
   * @param values by the names of stats: numbers, or texts
   */
  Xplanes add(long line, String name, long nanos, Map<String, Object> values) {
    List<byte[]> written = new ArrayList<>();
    values.forEach(
        (stat, value) -> {
          long id = number(stats, stat);
          written.add(
              XlaFiles.message(
                  out -> {
                    out.writeInt64(1, id);
                    switch (value) {
                      case Integer number -> out.writeUInt64(3, number);
                      case Long number -> out.writeInt64(4, number);
                      case Double number -> out.writeDouble(2, number);
                      case String text when text.startsWith("ref:") ->
                          out.writeUInt64(7, number(stats, text.substring(4)));
                      default -> out.writeString(5, value.toString());
                    }
                  }));
        });
    long id = number(events, name);
    lines
        .computeIfAbsent(line, _ -> new ArrayList<>())
        .add(
            XlaFiles.message(
                out -> {
                  out.writeInt64(1, id);
                  out.writeInt64(2, nanos * 1000);
                  for (byte[] stat : written) {
                    out.writeByteArray(4, stat);
                  }
                }));
    return this;
  }

  /** An event of an allocator with all that one of today has. */
  Xplanes memory(
      long line,
      long nanos,
      boolean isFree,
      String allocator,
      long address,
      long bytes,
      long total) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("allocator_name", allocator);
    values.put("bytes_reserved", 0);
    values.put("bytes_allocated", total);
    values.put("bytes_available", (1L << 30) - total);
    values.put("fragmentation", 0.5);
    values.put("peak_bytes_in_use", total);
    values.put("requested_bytes", bytes - 3);
    values.put("allocation_bytes", bytes);
    values.put("addr", address);
    if (!isFree) {
      values.put("tf_op", "ref:model/MatMul");
      values.put("data_type", 1);
      values.put("shape", "[4,4]");
    }
    values.put("id", 7L);
    values.put("region_type", "ref:output");
    return add(line, isFree ? "MemoryDeallocation" : "MemoryAllocation", nanos, values);
  }

  /** The plane as a whole file. */
  byte[] bytes() {
    byte[] content =
        XlaFiles.message(
            out -> {
              out.writeString(2, plane);
              for (Map.Entry<Long, List<byte[]>> line : lines.entrySet()) {
                out.writeByteArray(
                    3,
                    XlaFiles.message(
                        each -> {
                          each.writeInt64(1, line.getKey());
                          each.writeInt64(3, line.getKey() * 1_000_000_000);
                          for (byte[] event : line.getValue()) {
                            each.writeByteArray(4, event);
                          }
                        }));
              }
              writeNames(out, 4, events);
              writeNames(out, 5, stats);
            });
    return XlaFiles.message(out -> out.writeByteArray(1, content));
  }

  private static void writeNames(CodedOutputStream out, int field, Map<String, Long> names)
      throws IOException {
    for (Map.Entry<String, Long> name : names.entrySet()) {
      byte[] value =
          XlaFiles.message(
              each -> {
                each.writeInt64(1, name.getValue());
                each.writeString(2, name.getKey());
              });
      out.writeByteArray(
          field,
          XlaFiles.message(
              each -> {
                each.writeInt64(1, name.getValue());
                each.writeByteArray(2, value);
              }));
    }
  }
}
