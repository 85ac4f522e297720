package dev.vramscope.format.export;

import static dev.vramscope.format.xla.XlaFiles.message;

import com.google.protobuf.CodedOutputStream;
import dev.vramscope.format.xla.XlaFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** A device memory profile of JAX with many locations, each of its own function and sample. */
final class LargeProfile {
  private static final List<String> STRINGS =
      List.of(
          "",
          "allocations",
          "count",
          "space",
          "bytes",
          "kind",
          "buffer",
          "device",
          "TPU_0",
          "train.py");

  private LargeProfile() {}

  /** Writes a profile without being in memory. */
  static void write(int locations, OutputStream file) throws IOException {
    CodedOutputStream out = CodedOutputStream.newInstance(file);
    out.writeByteArray(1, pair("allocations", "count"));
    out.writeByteArray(1, pair("space", "bytes"));
    byte[] kind = pair("kind", "buffer");
    byte[] device = pair("device", "TPU_0");
    for (int i = 1; i <= locations; i++) {
      int number = i;
      out.writeByteArray(2, sample(number, kind, device));
      byte[] line = numbers(1, number, 2, number);
      out.writeByteArray(
          4,
          message(
              location -> {
                location.writeInt64(1, number);
                location.writeByteArray(4, line);
              }));
      out.writeByteArray(5, function(number));
    }
    for (String string : STRINGS) {
      out.writeString(6, string);
    }
    for (int i = 1; i <= locations; i++) {
      out.writeString(6, "function_" + i);
    }
    out.flush();
  }

  private static byte[] sample(int location, byte[] kind, byte[] device) {
    return message(
        out -> {
          out.writeInt64(1, location);
          out.writeInt64(2, 1);
          out.writeInt64(2, 1 << 20);
          out.writeByteArray(3, kind);
          out.writeByteArray(3, device);
        });
  }

  private static byte[] function(int number) {
    return message(
        out -> {
          out.writeInt64(1, number);
          out.writeInt64(2, STRINGS.size() + number - 1);
          out.writeInt64(4, STRINGS.indexOf("train.py"));
        });
  }

  private static byte[] pair(String name, String value) {
    return numbers(1, STRINGS.indexOf(name), 2, STRINGS.indexOf(value));
  }

  private static byte[] numbers(int field, long value, int other, long otherValue) {
    XlaFiles.Fields fields =
        out -> {
          out.writeInt64(field, value);
          out.writeInt64(other, otherValue);
        };
    return message(fields);
  }
}
