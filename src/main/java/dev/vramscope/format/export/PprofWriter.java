package dev.vramscope.format.export;

import dev.vramscope.model.Frame;
import dev.vramscope.model.StackTable;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * Writes stacks as a profile of pprof ({@code profile.proto}, compressed with gzip): a sample for
 * each stack, with the number of allocations and the amount. Field numbers are those of the
 * specification. Locations have no addresses; {@code go tool pprof} and its viewers need none.
 */
public final class PprofWriter {
  private static final int SAMPLE_TYPE = 1;
  private static final int SAMPLE = 2;
  private static final int LOCATION = 4;
  private static final int FUNCTION = 5;
  private static final int STRING_TABLE = 6;
  private static final int COMMENT = 13;
  private static final int DEFAULT_SAMPLE_TYPE = 14;

  /** The location and the function of a stack without frames; frame n has the numbers n + 2. */
  private static final int NO_FRAME = 1;

  /** Functions with one name in one file are one function, at several lines. */
  private record Function(long name, long file) {}

  private final OutputStream out;
  private final Map<String, Long> strings = new HashMap<>();
  private final Map<Function, Long> functions = new HashMap<>();
  private final ProtobufMessage part = new ProtobufMessage();
  private final ProtobufMessage inner = new ProtobufMessage();
  private final ProtobufMessage field = new ProtobufMessage();
  private final ProtobufMessage entry = new ProtobufMessage();

  private PprofWriter(OutputStream out) {
    this.out = out;
  }

  /**
   * Writes the stacks with an amount. The stream is flushed but not closed.
   *
   * @param title a comment in the profile
   * @throws IOException if writing to the stream fails
   */
  public static void write(StackAmounts amounts, String title, OutputStream out)
      throws IOException {
    GZIPOutputStream compressed = new GZIPOutputStream(out);
    BufferedOutputStream buffered = new BufferedOutputStream(compressed, 1 << 16);
    new PprofWriter(buffered).write(amounts, title);
    buffered.flush();
    compressed.finish();
    out.flush();
  }

  private void write(StackAmounts amounts, String title) throws IOException {
    string(""); // The specification wants the empty string first.
    sampleType("allocations", "count");
    sampleType(amounts.name(), amounts.unit());
    field.clear().number(DEFAULT_SAMPLE_TYPE, string(amounts.name())).writeTo(out);
    field.clear().number(COMMENT, string(title)).writeTo(out);
    location(NO_FRAME, new Frame(StackAmounts.NO_FRAME, "", 0));
    List<Frame> frames = amounts.stacks().frames();
    BitSet used = amounts.usedFrames();
    for (int number = used.nextSetBit(0); number >= 0; number = used.nextSetBit(number + 1)) {
      location(locationOf(number), frames.get(number));
    }
    for (int stack : amounts.used()) {
      sample(amounts, stack);
    }
  }

  private static long locationOf(int frame) {
    return frame + 2L;
  }

  private void sampleType(String type, String unit) throws IOException {
    part.clear().number(1, string(type)).number(2, string(unit));
    field.clear().message(SAMPLE_TYPE, part).writeTo(out);
  }

  private void sample(StackAmounts amounts, int stack) throws IOException {
    inner.clear();
    if (stack == StackTable.NONE) {
      inner.element(NO_FRAME);
    }
    for (int frame : amounts.innermostFirst(stack)) {
      inner.element(locationOf(frame));
    }
    part.clear().message(1, inner);
    inner.clear().element(amounts.count(stack)).element(amounts.amount(stack));
    part.message(2, inner);
    field.clear().message(SAMPLE, part).writeTo(out);
  }

  private void location(long number, Frame frame) throws IOException {
    long function = function(frame);
    inner.clear().number(1, function);
    if (frame.line() > 0) {
      inner.number(2, frame.line());
    }
    part.clear().number(1, number).message(4, inner);
    field.clear().message(LOCATION, part).writeTo(out);
  }

  private long function(Frame frame) throws IOException {
    Function function = new Function(string(frame.name()), string(frame.file()));
    Long existingNumber = functions.get(function);
    if (existingNumber != null) {
      return existingNumber;
    }
    long number = functions.size() + 1L;
    functions.put(function, number);
    part.clear().number(1, number).number(2, function.name).number(3, function.name);
    field.clear().message(FUNCTION, part.number(4, function.file)).writeTo(out);
    return number;
  }

  private long string(String text) throws IOException {
    Long existingNumber = strings.get(text);
    if (existingNumber != null) {
      return existingNumber;
    }
    long number = strings.size();
    strings.put(text, number);
    entry.clear().text(STRING_TABLE, text).writeTo(out);
    return number;
  }
}
