package dev.vramscope.format.xla;

import com.google.protobuf.CodedInputStream;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.model.AllocatorFacts;
import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.ByteSize;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.StackTable;
import dev.vramscope.model.Trace;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the device memory profiles of JAX ({@code jax.profiler.save_device_memory_profile}): pprof
 * profiles with the live buffers by the stack that created them. A profile has neither addresses
 * nor events; see {@link AllocatorFacts#profiledDevice}.
 */
public final class DeviceMemoryProfileReader {
  private static final String NEXT =
      "This pprof profile is damaged: save it again with jax.profiler.save_device_memory_profile,"
          + " and copy it as a binary file.";

  /** Sizes up to this are read; a sum of them cannot overflow. */
  private static final long MAX_BYTES = ByteSize.MAX_BYTES;

  /**
   * Samples with more buffers than this are shown as one block, so that a file of a few bytes
   * cannot fill the heap.
   */
  private static final long MAX_BUFFERS_OF_SAMPLE = 100_000;

  private static final Pattern NUMBER = Pattern.compile("[:_]([0-9]{1,4})(?![0-9])");

  private final ReadLimits limits;
  private final ProfileTables tables;
  private final StackTable.Builder stacks = new StackTable.Builder();
  private final Map<String, List<Block>> devices = new LinkedHashMap<>();
  private final List<Finding> findings = new ArrayList<>();
  private long blocks;
  private long executables;
  private long executableBytes;
  private long aggregated;

  private DeviceMemoryProfileReader(ProfileTables tables, ReadLimits limits) {
    this.tables = tables;
    this.limits = limits;
  }

  /**
   * Reads an uncompressed profile.
   *
   * @throws FormatException if it is damaged, too large, or the profile of something else
   */
  public static Snapshot read(InputStream file, ReadLimits limits)
      throws IOException, FormatException {
    CodedInputStream in = CodedInputStream.newInstance(file);
    in.setSizeLimit((int) Math.min(Integer.MAX_VALUE, limits.maxBytes()));
    ProfileTables tables = new ProfileTables(in, limits, NEXT);
    tables.read();
    return new DeviceMemoryProfileReader(tables, limits).snapshot();
  }

  private Snapshot snapshot() throws FormatException {
    List<String> types = tables.sampleTypes();
    if (!types.equals(List.of("allocations/count", "space/bytes"))) {
      throw new FormatException(
          Reason.NOT_A_SNAPSHOT,
          "this is a pprof profile of something else than device memory: its values are "
              + String.join(", ", types.isEmpty() ? List.of("not described") : types),
          "sample_type",
          "Upload a profile that jax.profiler.save_device_memory_profile has written; go tool pprof"
              + " shows the others.");
    }
    for (ProfileTables.Sample sample : tables.samples()) {
      add(sample);
    }
    if (devices.isEmpty()) {
      throw new FormatException(
          Reason.NOT_A_SNAPSHOT,
          "the profile has no live buffer"
              + (executables > 0 ? ", only " + executables + " compiled programs" : ""),
          "samples",
          "Save the profile while arrays are live.");
    }
    addFindings();
    Map<Integer, String> names = ordinals();
    return new Snapshot(
        new Origin(Origin.PROFILE, "JAX", Trace.NO_TIME),
        Optional.empty(),
        names.entrySet().stream().map(entry -> device(entry.getKey(), entry.getValue())).toList(),
        stacks.build(),
        findings);
  }

  private void add(ProfileTables.Sample sample) throws FormatException {
    String kind = "";
    String device = "";
    for (long[] label : sample.labels()) {
      switch (tables.text(label[0])) {
        case "kind" -> kind = tables.text(label[1]);
        case "device" -> device = tables.text(label[1]);
        default -> {} // None are known.
      }
    }
    if (sample.values().size() != 2) {
      throw tables.malformed("a sample has " + sample.values().size() + " values instead of 2");
    }
    long count = sample.values().get(0);
    long bytes = sample.values().get(1);
    if (kind.equals("executable")) {
      executables += Math.clamp(count, 0, MAX_BYTES);
      executableBytes += Math.clamp(bytes, 0, MAX_BYTES); // TPUs write -1.
      return;
    }
    if (!kind.equals("buffer")) {
      throw tables.malformed(
          "a sample is of the kind '" + kind + "', neither buffer nor executable");
    }
    if (count < 1 || bytes < 0 || bytes > MAX_BYTES || bytes / count * count != bytes) {
      throw tables.malformed(
          String.format(Locale.ROOT, "%,d buffers have %,d bytes together", count, bytes));
    }
    addBuffers(device, count, bytes, stacks.stack(tables.frames(sample)));
  }

  private void addBuffers(String device, long count, long bytes, int stack) throws FormatException {
    if (bytes == 0) {
      return; // Empty arrays have no memory.
    }
    boolean isAggregated = count > MAX_BUFFERS_OF_SAMPLE;
    long added = isAggregated ? 1 : count;
    aggregated += isAggregated ? count : 0;
    blocks += added;
    if (blocks > limits.maxBlocks()) {
      throw tables.tooLarge("the profile has more than " + limits.maxBlocks() + " buffers");
    }
    List<Block> list = devices.computeIfAbsent(device, _ -> new ArrayList<>());
    long before = list.isEmpty() ? 0 : list.getLast().end();
    if (bytes > MAX_BYTES - before) {
      throw tables.malformed("the buffers of the device " + device + " have more than 1024 TiB");
    }
    long size = bytes / added;
    for (long i = 0; i < added; i++) {
      long address = list.isEmpty() ? 0 : list.getLast().end();
      list.add(new Block(address, size, size, BlockState.ALLOCATED, stack));
    }
  }

  private void addFindings() {
    findings.add(FindingKind.PROFILE.finding(1));
    if (executables > 0) {
      findings.add(FindingKind.EXECUTABLES.finding(executables, executables, executableBytes));
    }
    if (tables.cutStacks() > 0) {
      findings.add(
          FindingKind.STACKS_CUT_IN_PROFILE.finding(
              tables.cutStacks(), tables.cutStacks(), limits.maxStackFrames()));
    }
    if (aggregated > 0) {
      findings.add(FindingKind.BUFFERS_AGGREGATED.counted(aggregated));
    }
  }

  /** The names by the number that they contain; one that is taken, or none, gets the next. */
  private Map<Integer, String> ordinals() throws FormatException {
    if (devices.size() > limits.maxDevices()) {
      throw tables.tooLarge("the profile has more than " + limits.maxDevices() + " devices");
    }
    Map<Integer, String> names = new TreeMap<>();
    for (String name : devices.keySet()) {
      Matcher number = NUMBER.matcher(name);
      int ordinal = number.find() ? Integer.parseInt(number.group(1)) : 0;
      while (names.containsKey(ordinal)) {
        ordinal++;
      }
      names.put(ordinal, name);
    }
    return names;
  }

  private DeviceSnapshot device(int ordinal, String name) {
    List<Block> buffers = devices.getOrDefault(name, List.of());
    long bytes = buffers.getLast().end();
    Segment all =
        new Segment(
            0,
            bytes,
            0,
            PoolKind.LARGE,
            PoolId.DEFAULT,
            /* expandable= */ false,
            StackTable.NONE,
            buffers);
    return new DeviceSnapshot(
        ordinal,
        List.of(all),
        Trace.EMPTY,
        List.of(),
        AllocatorFacts.ofProfile(name.isEmpty() ? "device" : name));
  }
}
