package dev.vramscope.format.export;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** Texts of which one count is large. */
final class LargeText {
  private LargeText() {}

  /** The text of a failure, with processes. */
  static void writeProcesses(int size, OutputStream out) throws IOException {
    Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    text.write(
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a");
    text.write(" total capacity of 79.11 GiB of which 1.00 GiB is free. ");
    for (int i = 1; i <= size; i++) {
      text.write("Process " + i + " has 1.00 MiB memory in use. ");
    }
    text.write("\n");
    text.flush();
  }

  /** A dump of the BFC allocator, with chunks. */
  static void writeChunks(int size, OutputStream out) throws IOException {
    Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    String line = "I0000 00:00:1795648177.788810     974 bfc_allocator.cc:1] ";
    text.write(
        line
            + "Allocator (GPU_0_bfc) ran out of memory trying to allocate 200.00MiB"
            + " (rounded to 209715200)requested by op AddV2\n");
    text.write(line + "Next region of size " + size * 256L + "\n");
    for (int i = 0; i < size; i++) {
      String use = i % 2 == 0 ? "InUse" : "Free ";
      String at = Long.toHexString(LargeFile.FIRST_ADDRESS + i * 256L);
      text.write(line + use + " at " + at + " of size 256 next " + (i + 1) + "\n");
    }
    text.write(line + "Limit: " + (size * 256L + LargeFile.FREE_BYTES) + "\n");
    text.write(line + "InUse: " + size * 128L + "\n");
    text.flush();
  }

  /** A log of RMM, with requests. */
  static void writeRecords(int size, OutputStream out) throws IOException {
    Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    text.write("Thread,Time,Action,Pointer,Size,Stream\n");
    for (int i = 0; i < size; i++) {
      String address = Long.toHexString(LargeFile.FIRST_ADDRESS + i * 256L);
      text.write("7,10:00:00.%06d,allocate,0x%s,256,0\n".formatted(i % 1_000_000, address));
    }
    text.write("7,10:00:01.000000,allocate failure,(nil),1073741824,0\n");
    text.flush();
  }
}
