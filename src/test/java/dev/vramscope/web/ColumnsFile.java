package dev.vramscope.web;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the columns that the REST API returns. */
final class ColumnsFile {
  private ColumnsFile() {}

  static JsonNode header(byte[] columns) {
    int bytes = ByteBuffer.wrap(columns).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
    return Json.of(new String(columns, 8, bytes, StandardCharsets.UTF_8));
  }

  static double[] column(byte[] body, String name) {
    ByteBuffer buffer = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    for (JsonNode column : header(body).path("columns")) {
      if (column.path("name").asString().equals(name)) {
        double[] values = new double[column.path("length").asInt()];
        int start = 8 + buffer.getInt(4) + column.path("offset").asInt();
        for (int i = 0; i < values.length; i++) {
          values[i] =
              switch (column.path("type").asString()) {
                case "u8" -> buffer.get(start + i);
                case "i32" -> buffer.getInt(start + 4 * i);
                default -> buffer.getDouble(start + 8 * i);
              };
        }
        return values;
      }
    }
    throw new IllegalArgumentException("no column " + name);
  }

  /** The sum of the values, or of those in a state. */
  static long sum(double[] values, double @Nullable [] state, int wanted) {
    long sum = 0;
    for (int i = 0; i < values.length; i++) {
      if (state == null || state[i] == wanted) {
        sum += (long) values[i];
      }
    }
    return sum;
  }
}
