package dev.vramscope.format.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vramscope.model.Frame;
import dev.vramscope.model.JsonText;
import dev.vramscope.model.StackTable;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.util.BitSet;
import java.util.List;

/**
 * Writes stacks in the file format of speedscope.app: a list of frames, and a sampled profile whose
 * samples are the stacks, outermost frame first, and whose weights are the amounts.
 */
public final class SpeedscopeWriter {
  private static final String SCHEMA = "https://www.speedscope.app/file-format-schema.json";

  private final StackAmounts amounts;
  private final Writer out;

  private SpeedscopeWriter(StackAmounts amounts, OutputStream out) {
    this.amounts = amounts;
    this.out = new BufferedWriter(new OutputStreamWriter(out, UTF_8), 1 << 16);
  }

  /**
   * Writes the stacks with an amount. The stream is flushed but not closed.
   *
   * @param title of the profile
   * @throws IOException if writing to the stream fails
   */
  public static void write(StackAmounts amounts, String title, OutputStream out)
      throws IOException {
    new SpeedscopeWriter(amounts, out).write(title);
  }

  private void write(String title) throws IOException {
    int[] used = amounts.used();
    out.append("{\"$schema\":\"" + SCHEMA + "\",\"exporter\":\"vramscope\",\"name\":");
    text(title);
    out.append(",\"activeProfileIndex\":0,\"shared\":{\"frames\":[{\"name\":");
    text(StackAmounts.NO_FRAME);
    out.append('}');
    int[] indices = frames();
    out.append("]},\"profiles\":[{\"type\":\"sampled\",\"name\":");
    text(title);
    out.append(",\"unit\":");
    // Of its units, only bytes fit; bytes × events have none.
    text(amounts.unit().equals("bytes") ? "bytes" : "none");
    out.append(",\"startValue\":0,\"endValue\":");
    long total = 0;
    for (int stack : used) {
      total += amounts.amount(stack);
    }
    out.append(Long.toString(total)).append(",\"samples\":[");
    for (int i = 0; i < used.length; i++) {
      out.append(i == 0 ? "[" : ",[");
      sample(used[i], indices);
      out.append(']');
    }
    out.append("],\"weights\":[");
    for (int i = 0; i < used.length; i++) {
      out.append(i == 0 ? "" : ",").append(Long.toString(amounts.amount(used[i])));
    }
    out.append("]}]}\n");
    out.flush();
  }

  private void sample(int stack, int[] indices) throws IOException {
    if (stack == StackTable.NONE) {
      out.append('0');
      return;
    }
    boolean isFirst = true;
    for (int frame : amounts.outermostFirst(stack)) {
      out.append(isFirst ? "" : ",").append(Integer.toString(indices[frame]));
      isFirst = false;
    }
  }

  /** Writes the frames after the first one; returns the index of each by its number. */
  private int[] frames() throws IOException {
    List<Frame> frames = amounts.stacks().frames();
    BitSet used = amounts.usedFrames();
    int[] indices = new int[frames.size()];
    int next = 1;
    for (int number = used.nextSetBit(0); number >= 0; number = used.nextSetBit(number + 1)) {
      indices[number] = next++;
      Frame frame = frames.get(number);
      out.append(",{\"name\":");
      text(frame.name());
      if (!frame.file().isEmpty()) {
        out.append(",\"file\":");
        text(frame.file());
      }
      if (frame.line() > 0) {
        out.append(",\"line\":").append(Integer.toString(frame.line()));
      }
      out.append('}');
    }
    return indices;
  }

  private void text(String text) throws IOException {
    StringBuilder quoted = new StringBuilder();
    JsonText.append(quoted, text);
    out.append(quoted);
  }
}
