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
  record Sample(LongColumn locations, LongColumn values, List<long[]> labels) {}

  private record Line(long function, long line) {}

  private record Function(long name, long file) {}

  /** The heap that a sample takes without its numbers, in numbers. */
  private static final long SAMPLE_NUMBERS = 16;

  /** The heap of a label: an array of two numbers and the reference to it. */
  private static final long LABEL_NUMBERS = 5;

  private final ReadLimits limits;
  private final ProtobufFields fields;
  private final CodedInputStream in;
  private final List<Sample> samples = new ArrayList<>();
  private final List<long[]> sampleTypes = new ArrayList<>();
  private final Map<Long, List<Line>> locations = new HashMap<>();
  private final Map<Long, Function> functions = new HashMap<>();
  private final List<String> strings = new ArrayList<>();
  private final Map<Long, List<Frame>> framesOfLocation = new HashMap<>();
  private long cutStacks;
  private long textBytes;
  private long numbers;

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
              count(LABEL_NUMBERS);
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
   * The frames of a sample, innermost first; those beyond the limit are cut off. Each counts as a
   * number, because a file of a few bytes can repeat a location in every sample.
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
    count(frames.size());
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
    LongColumn.Builder stack = new LongColumn.Builder();
    LongColumn.Builder values = new LongColumn.Builder();
    List<long[]> labels = new ArrayList<>();
    fields.nested(
        number -> {
          switch (number) {
            case 1 -> fields.numbers(stack::add);
            case 2 -> fields.numbers(values::add);
            case 3 -> labels.add(pair(1, 2));
            default -> {
              return false;
            }
          }
          return true;
        });
    count(SAMPLE_NUMBERS + stack.size() + values.size() + LABEL_NUMBERS * labels.size());
    return new Sample(stack.build(), values.build(), labels);
  }

  /** Numbers take 8 bytes of heap each, as the pending values of a pickle do. */
  private void count(long more) throws FormatException {
    numbers += more;
    if (numbers > limits.maxPending()) {
      throw fields.tooLarge("the profile has more than " + limits.maxPending() + " numbers");
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
    count(LABEL_NUMBERS * lines.size());
    locations.put(id[0], lines);
  }

  private void function() throws IOException, FormatException {
    long[] values = new long[3];
    fields.nested(
        number -> {
          switch (number) {
            case 1 -> values[0] = in.readInt64();
            case 2 -> values[1] = in.readInt64();
            case 4 -> values[2] = in.readInt64();
            default -> {
              return false;
            }
          }
          return true;
        });
    if (functions.size() >= limits.maxFrames()) {
      throw fields.tooLarge("the profile has more than " + limits.maxFrames() + " functions");
    }
    functions.put(values[0], new Function(values[1], values[2]));
  }

  private void string() throws IOException, FormatException {
    String text = in.readString();
    textBytes += 48 + text.length();
    if (text.length() > limits.maxStringBytes() || textBytes > limits.maxTextBytes()) {
      throw fields.tooLarge("the profile has more text than fits into the heap");
    }
    strings.add(text);
  }
}
