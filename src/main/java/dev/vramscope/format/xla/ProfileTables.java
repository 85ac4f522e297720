package dev.vramscope.format.xla;

import com.google.protobuf.CodedInputStream;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.Frame;
import dev.vramscope.model.LongColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tables of a pprof profile ({@code perftools.profiles.Profile}). Samples come before the
 * strings and functions that they refer to, so that all are kept until the end.
 */
final class ProfileTables {
  /** A sample: what it counts, where it was created, and its labels. */
  record Sample(Numbers locations, Numbers values, List<long[]> labels) {}

  /** Numbers of one sample, which are in a column with those of all others. */
  record Numbers(LongColumn.Builder column, int from, int size) {
    long get(int index) {
      return column.get(from + index);
    }
  }

  private record Line(long function, long line) {}

  private record Function(long name, long file) {}

  // Heap bytes of what is in the file. A sample becomes a segment with a block.
  private static final long SAMPLE_BYTES = 600;
  private static final long PAIR_BYTES = 40;
  private static final long LOCATION_BYTES = 200;
  private static final long LINE_BYTES = 100;
  private static final long FUNCTION_BYTES = 110;
  private static final long STRING_BYTES = 48;

  private final ReadLimits limits;
  private final ProtobufFields fields;
  private final CodedInputStream in;
  private final List<Sample> samples = new ArrayList<>();
  private final LongColumn.Builder stacks = new LongColumn.Builder();
  private final LongColumn.Builder values = new LongColumn.Builder();
  private final List<long[]> sampleTypes = new ArrayList<>();
  private final Map<Long, List<Line>> locations = new HashMap<>();
  private final Map<Long, Function> functions = new HashMap<>();
  private final List<String> strings = new ArrayList<>();
  private final Map<Long, List<Frame>> framesOfLocation = new HashMap<>();
  private long cutStacks;
  private long textBytes;
  private long heapBytes;

  ProfileTables(CodedInputStream in, ReadLimits limits, String next) {
    this.in = in;
    this.limits = limits;
    fields = new ProtobufFields(in, next);
  }

  void read() throws IOException, FormatException {
    fields.message(
        number -> {
          switch (number) {
            case 1 -> {
              count(PAIR_BYTES);
              sampleTypes.add(pair(1, 2));
            }
            case 2 -> samples.add(sample());
            case 4 -> location();
            case 5 -> function();
            case 6 -> string();
            default -> {
              return false;
            }
          }
          return true;
        });
  }

  List<Sample> samples() {
    return samples;
  }

  /** What the values of a sample count, such as {@code allocations/count}. */
  List<String> sampleTypes() throws FormatException {
    List<String> types = new ArrayList<>();
    for (long[] type : sampleTypes) {
      types.add(text(type[0]) + "/" + text(type[1]));
    }
    return types;
  }

  String text(long index) throws FormatException {
    if (index < 0 || index >= strings.size()) {
      throw fields.malformed("there is no string " + index);
    }
    return strings.get((int) index);
  }

  /**
   * The frames of a sample, innermost first; those beyond the limit are cut off. Each counts,
   * because a file of a few bytes can repeat a location in every sample.
   */
  List<Frame> frames(Sample sample) throws FormatException {
    List<Frame> frames = new ArrayList<>();
    for (int i = 0; i < sample.locations().size(); i++) {
      long id = sample.locations().get(i);
      List<Frame> ofLocation = framesOfLocation.get(id);
      if (ofLocation == null) {
        ofLocation = framesOf(id);
        framesOfLocation.put(id, ofLocation);
      }
      int room = limits.maxStackFrames() - frames.size();
      frames.addAll(ofLocation.size() <= room ? ofLocation : ofLocation.subList(0, room));
      if (ofLocation.size() > room) {
        cutStacks++;
        break;
      }
    }
    count(Long.BYTES * frames.size());
    return frames;
  }

  /** How many stacks were cut off. */
  long cutStacks() {
    return cutStacks;
  }

  private List<Frame> framesOf(long id) throws FormatException {
    List<Line> lines = locations.get(id);
    if (lines == null) {
      throw fields.malformed("there is no location " + id);
    }
    List<Frame> frames = new ArrayList<>();
    for (Line line : lines.subList(0, Math.min(lines.size(), limits.maxStackFrames() + 1))) {
      Function function = functions.get(line.function());
      if (function == null) {
        throw fields.malformed("there is no function " + line.function());
      }
      int number = line.line() < 0 || line.line() > Integer.MAX_VALUE ? 0 : (int) line.line();
      frames.add(new Frame(text(function.name()), text(function.file()), number));
    }
    return frames;
  }

  FormatException malformed(String what) {
    return fields.malformed(what);
  }

  FormatException tooLarge(String what) {
    return fields.tooLarge(what);
  }

  private Sample sample() throws IOException, FormatException {
    if (samples.size() >= limits.maxEvents()) {
      throw fields.tooLarge("the profile has more than " + limits.maxEvents() + " samples");
    }
    int firstLocation = stacks.size();
    int firstValue = values.size();
    List<long[]> labels = new ArrayList<>();
    count(SAMPLE_BYTES);
    fields.nested(
        number -> {
          switch (number) {
            case 1 -> fields.numbers(location -> add(stacks, location));
            case 2 -> fields.numbers(value -> add(values, value));
            case 3 -> {
              count(PAIR_BYTES);
              labels.add(pair(1, 2));
            }
            default -> {
              return false;
            }
          }
          return true;
        });
    return new Sample(
        new Numbers(stacks, firstLocation, stacks.size() - firstLocation),
        new Numbers(values, firstValue, values.size() - firstValue),
        labels);
  }

  private void add(LongColumn.Builder column, long number) throws FormatException {
    count(Long.BYTES);
    column.add(number);
  }

  private void count(long bytes) throws FormatException {
    heapBytes += bytes;
    if (heapBytes > limits.maxHeapBytes()) {
      throw fields.tooLarge(
          "the contents of the profile take more than "
              + (limits.maxHeapBytes() >> 20)
              + " MiB of heap");
    }
  }

  private long[] pair(int first, int second) throws IOException, FormatException {
    long[] pair = new long[2];
    fields.nested(
        number -> {
          if (number != first && number != second) {
            return false;
          }
          pair[number == first ? 0 : 1] = in.readInt64();
          return true;
        });
    return pair;
  }

  private void location() throws IOException, FormatException {
    long[] id = new long[1];
    List<Line> lines = new ArrayList<>();
    fields.nested(
        number -> {
          switch (number) {
            case 1 -> id[0] = in.readInt64();
            case 4 -> {
              count(LINE_BYTES);
              long[] line = pair(1, 2);
              lines.add(new Line(line[0], line[1]));
            }
            default -> {
              return false;
            }
          }
          return true;
        });
    if (locations.size() >= limits.maxStackNodes()) {
      throw fields.tooLarge("the profile has more than " + limits.maxStackNodes() + " locations");
    }
    count(LOCATION_BYTES);
    locations.put(id[0], lines);
  }

  private void function() throws IOException, FormatException {
    long[] function = new long[3];
    fields.nested(
        number -> {
          switch (number) {
            case 1 -> function[0] = in.readInt64();
            case 2 -> function[1] = in.readInt64();
            case 4 -> function[2] = in.readInt64();
            default -> {
              return false;
            }
          }
          return true;
        });
    if (functions.size() >= limits.maxFrames()) {
      throw fields.tooLarge("the profile has more than " + limits.maxFrames() + " functions");
    }
    count(FUNCTION_BYTES);
    functions.put(function[0], new Function(function[1], function[2]));
  }

  private void string() throws IOException, FormatException {
    String text = in.readString();
    count(STRING_BYTES + text.length());
    textBytes += STRING_BYTES + text.length();
    if (text.length() > limits.encoding().maxStringBytes()
        || textBytes > limits.encoding().maxTextBytes()) {
      throw fields.tooLarge("the profile has more text than fits into the heap");
    }
    strings.add(text);
  }
}
