package dev.vramscope.format.xla;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Writes small files in the formats of JAX and XLA, as the originals do. */
public final class XlaFiles {
  private XlaFiles() {}

  /** Writes the fields of a message. */
  @FunctionalInterface
  public interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  /** The bytes of a message. */
  public static byte[] message(Fields fields) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      fields.write(out);
      out.flush();
      return bytes.toByteArray();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** A device memory profile under construction. */
  public static final class Profile {
    private final List<String> strings = new ArrayList<>(List.of(""));
    private final List<byte[]> samples = new ArrayList<>();
    private final List<byte[]> places = new ArrayList<>();
    private final List<byte[]> functions = new ArrayList<>();
    private String[] types = {"allocations", "count", "space", "bytes"};

    private long string(String text) {
      int known = strings.indexOf(text);
      if (known < 0) {
        strings.add(text);
      }
      return known < 0 ? strings.size() - 1 : known;
    }

    /** Other values than those of a profile of memory. */
    public Profile types(String... namesAndUnits) {
      types = namesAndUnits;
      return this;
    }

    /**
     * Adds a sample.
     *
     * @param device empty for none
     * @param stack innermost first, {@code function file:line} each
     */
    public Profile add(String kind, String device, long count, long bytes, String... stack) {
      List<Long> locations = new ArrayList<>();
      for (String frame : stack) {
        String[] parts = frame.split("[ :]", 3);
        long id = places.size() + 1L;
        long name = string(parts[0]);
        long file = string(parts[1]);
        functions.add(
            message(
                out -> {
                  out.writeInt64(1, id);
                  out.writeInt64(2, name);
                  out.writeInt64(4, file);
                }));
        byte[] line =
            message(
                out -> {
                  out.writeInt64(1, id);
                  out.writeInt64(2, Long.parseLong(parts[2]));
                });
        places.add(
            message(
                out -> {
                  out.writeInt64(1, id);
                  out.writeByteArray(4, line);
                }));
        locations.add(id);
      }
      List<byte[]> labels = new ArrayList<>();
      labels.add(label("kind", kind));
      if (!device.isEmpty()) {
        labels.add(label("device", device));
      }
      byte[] stackIds = message(out -> writeAll(out, locations));
      byte[] values = message(out -> writeAll(out, List.of(count, bytes)));
      samples.add(
          message(
              out -> {
                out.writeByteArray(1, stackIds);
                out.writeByteArray(2, values);
                for (byte[] label : labels) {
                  out.writeByteArray(3, label);
                }
              }));
      return this;
    }

    private static void writeAll(CodedOutputStream out, List<Long> numbers) throws IOException {
      for (long number : numbers) {
        out.writeInt64NoTag(number);
      }
    }

    private byte[] label(String key, String value) {
      long keyId = string(key);
      long valueId = string(value);
      return message(
          out -> {
            out.writeInt64(1, keyId);
            out.writeInt64(2, valueId);
          });
    }

    /** The uncompressed file. */
    public byte[] bytes() {
      List<byte[]> sampleTypes = new ArrayList<>();
      for (int i = 0; i < types.length; i += 2) {
        sampleTypes.add(label(types[i], types[i + 1]));
      }
      return message(
          out -> {
            for (byte[] type : sampleTypes) {
              out.writeByteArray(1, type);
            }
            for (byte[] sample : samples) {
              out.writeByteArray(2, sample);
            }
            for (byte[] place : places) {
              out.writeByteArray(4, place);
            }
            for (byte[] function : functions) {
              out.writeByteArray(5, function);
            }
            for (String string : strings) {
              out.writeString(6, string);
            }
          });
    }
  }

  /** A memory dump of two chunks in use with a free one between, and one in a region of its own. */
  public static byte[] memoryDump() {
    return message(
        out -> {
          out.writeString(1, "GPU_1_bfc");
          out.writeByteArray(2, message(bin -> bin.writeInt32(1, 3)));
          out.writeByteArray(3, chunk(0x7f00_0000_0000L, 4096, 4000, "conv/Conv2D", true));
          out.writeByteArray(3, chunk(0x7f00_0000_1000L, 8192, 0, "", false));
          out.writeByteArray(3, chunk(0x7f00_0000_3000L, 256, 256, "loss", true));
          out.writeByteArray(3, chunk(0x7f10_0000_0000L, 1 << 20, 1 << 20, "conv/Conv2D", true));
          out.writeByteArray(4, message(moment -> moment.writeInt64(2, 5000)));
          out.writeByteArray(5, message(stats -> stats.writeInt64(3, 9_000_000)));
        });
  }

  private static byte[] chunk(long address, long size, long requested, String name, boolean used) {
    return message(
        out -> {
          out.writeUInt64(1, address);
          out.writeInt64(2, size);
          out.writeInt64(3, requested);
          out.writeInt32(4, 1);
          out.writeString(5, name);
          out.writeBool(8, used);
        });
  }

  /** The dump of a failed request in a log. */
  public static String log() {
    return """
    step 3
    %1$sAllocator (GPU_0_bfc) ran out of memory trying to allocate 3.00MiB (rounded to 3145728)requested by op
    %1$sBFCAllocator dump for GPU_0_bfc
    %1$sBin (256):  Total Chunks: 0, Chunks in use: 0. 0B allocated for chunks.
    %1$sNext region of size 8388608
    %1$sInUse at 7f0000000000 of size 4194304 next 1
    %1$sFree  at 7f0000400000 of size 2097152 next 2
    %1$sInUse at 7f0000600000 of size 1048576 next 3
    %1$sFree  at 7f0000700000 of size 1048576 next 18446744073709551615
    %1$sSum Total of in-use chunks: 5.00MiB
    %1$sStats:
    Limit:                     8388608
    InUse:                     5242880
    """
        .formatted(
            "2025-01-05 09:48:28.754874: I external/xla/tsl/framework/bfc_allocator.cc:1114] ");
  }
}
