package dev.vramscope.format.xla;

import com.google.protobuf.CodedInputStream;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Frame;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolRecord;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the dumps of the BFC allocator of XLA and TensorFlow ({@code TF_BFC_MEMORY_DUMP}): the
 * message {@code tensorflow.MemoryDump} with all chunks and the operations that use them.
 */
public final class MemoryDumpReader {
  private static final String NEXT = "Write the dump again, and copy it as a binary file.";
  private static final Pattern GPU = Pattern.compile("(?:GPU|gpu)[_:]([0-9]{1,4})");

  private final CodedInputStream in;
  private final ProtobufFields fields;
  private final BinCounts totals = new BinCounts();
  private final Chunks chunks;
  private final ReadLimits limits;
  private final StackTable.Builder stacks = new StackTable.Builder();
  private final List<Finding> findings = new ArrayList<>();
  private String allocator = "";
  private boolean hasOperations;
  private long inUseBytes = -1;
  private long peakBytes;
  private OptionalDouble fragmentation = OptionalDouble.empty();
  private long moments;
  private long textBytes;

  private MemoryDumpReader(CodedInputStream in, ReadLimits limits) {
    this.in = in;
    this.limits = limits;
    fields = new ProtobufFields(in, NEXT);
    chunks = new Chunks(limits);
  }

  /**
   * Reads an uncompressed dump.
   *
   * @throws FormatException if it is damaged or too large, or has no chunk
   */
  public static Snapshot read(InputStream file, ReadLimits limits)
      throws IOException, FormatException {
    CodedInputStream in = CodedInputStream.newInstance(file);
    in.setSizeLimit((int) Math.min(Integer.MAX_VALUE, limits.maxBytes()));
    return new MemoryDumpReader(in, limits).snapshot();
  }

  private Snapshot snapshot() throws IOException, FormatException {
    fields.message(
        number -> {
          switch (number) {
            case 1 -> allocator = text();
            case 2 -> bin();
            case 3 -> chunk();
            case 4 -> {
              fields.nested(_ -> false);
              moments++;
            }
            case 5 -> stats();
            default -> {
              return false;
            }
          }
          return true;
        });
    if (chunks.count() == 0) {
      throw new FormatException(Reason.NOT_A_SNAPSHOT, "the dump has no chunk", "chunk", NEXT);
    }
    addFindings();
    Matcher gpu = GPU.matcher(allocator);
    DeviceSnapshot device =
        new DeviceSnapshot(
            gpu.find() ? Integer.parseInt(gpu.group(1)) : 0,
            chunks.segments(),
            Trace.EMPTY,
            List.of(),
            AllocatorFacts.ofDump(OptionalLong.empty(), new PoolRecord(List.of(), fragmentation)));
    return new Snapshot(
        new Origin("BFC memory dump", Origin.xla(allocator), Trace.NO_TIME),
        Optional.empty(),
        List.of(device),
        stacks.build(),
        findings);
  }

  private void addFindings() {
    totals.contradiction(chunks, inUseBytes).ifPresent(findings::add);
    findings.add(
        FindingKind.BFC_DUMP_IN_FILE.finding(
            1,
            hasOperations
                ? ", with the name of the operation that uses each, and no call stacks."
                : ", without the operations that use them and without call stacks.",
            peakBytes > 0
                ? String.format(
                    Locale.ROOT,
                    " The allocator’s own statistics have a peak of %,d bytes.",
                    peakBytes)
                : "",
            moments > 0
                ? String.format(Locale.ROOT, " Its %,d sizes over time are not shown.", moments)
                : ""));
  }

  private void bin() throws IOException, FormatException {
    long[] numbers = new long[6];
    fields.nested(
        number -> {
          if (number >= 1 && number <= 5) {
            numbers[number] = in.readInt64();
          }
          return number >= 1 && number <= 5;
        });
    totals.add(numbers[4], numbers[5]);
  }

  private void chunk() throws IOException, FormatException {
    long[] numbers = new long[10];
    String[] operation = {""};
    fields.nested(
        number -> {
          switch (number) {
            case 1, 2, 3, 4, 6, 7, 8, 9 -> numbers[number] = in.readInt64();
            case 5 -> operation[0] = text();
            default -> {
              return false;
            }
          }
          return true;
        });
    boolean isInUse = numbers[8] != 0;
    hasOperations |= !operation[0].isEmpty();
    int stack =
        isInUse && !operation[0].isEmpty()
            ? stacks.stack(List.of(new Frame(operation[0], "", 0)))
            : StackTable.NONE;
    chunks.add(
        new Block(
            numbers[1],
            numbers[2],
            isInUse && numbers[3] >= 0 && numbers[3] <= numbers[2] ? numbers[3] : Block.UNKNOWN,
            isInUse ? BlockState.ALLOCATED : BlockState.INACTIVE,
            stack),
        "byte " + in.getTotalBytesRead());
  }

  private void stats() throws IOException, FormatException {
    // The format leaves out what is 0.
    fragmentation = OptionalDouble.of(0);
    fields.nested(
        number -> {
          switch (number) {
            case 2 -> inUseBytes = in.readInt64();
            case 3 -> peakBytes = in.readInt64();
            case 5 -> {
              // Without free memory, the allocator divides by zero.
              double metric = in.readFloat();
              fragmentation =
                  metric >= 0 && metric <= 1 ? OptionalDouble.of(metric) : OptionalDouble.empty();
            }
            default -> {
              return false;
            }
          }
          return true;
        });
  }

  private String text() throws IOException, FormatException {
    String text = in.readString();
    textBytes += text.length();
    if (text.length() > limits.encoding().maxStringBytes()
        || textBytes > limits.encoding().maxTextBytes()) {
      throw fields.tooLarge("the dump has more text than fits into the heap");
    }
    return text;
  }
}
