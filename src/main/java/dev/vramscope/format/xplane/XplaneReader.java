package dev.vramscope.format.xplane;

import com.google.protobuf.CodedInputStream;
import dev.vramscope.format.FormatException;
import dev.vramscope.format.FormatException.Reason;
import dev.vramscope.format.ReadLimits;
import dev.vramscope.format.xla.AllocatorDevices;
import dev.vramscope.format.xla.ProtobufFields;
import dev.vramscope.model.ByteSize;
import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Origin;
import dev.vramscope.model.Snapshot;
import dev.vramscope.model.Trace;
import dev.vramscope.model.finding.Finding;
import dev.vramscope.model.finding.FindingKind;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reads the allocator's events in a profile of XProf ({@code *.xplane.pb}), which the profilers of
 * JAX and TensorFlow write: every allocation and free while it was recorded, with address, sizes,
 * operation and shape, as the trace of its allocator.
 */
public final class XplaneReader {
  private static final String ALLOCATION = "MemoryAllocation";
  private static final String FREE = "MemoryDeallocation";

  private static final String NEXT =
      "Copy the profile again as a binary file: plugins/profile/…/*.xplane.pb in its log"
          + " directory.";

  private static final String RECORD =
      "The allocator of a GPU writes them while a profiler of JAX or TensorFlow runs; that of the"
          + " CPU only in TensorFlow with TF_CPU_ALLOCATOR_USE_BFC=true. Start the profiler before"
          + " the first allocation, or save a device memory profile with"
          + " jax.profiler.save_device_memory_profile.";

  /** Sums of fewer bytes cannot overflow. */
  private static final long MAX_TOTAL = 1L << 61;

  private final ReadLimits limits;
  private final OperationStacks stacks;
  private final Map<String, AllocatorTrace> allocators = new LinkedHashMap<>();
  private final List<String> planes = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();
  private long allEvents;
  private long events;
  private long total;

  private XplaneReader(ReadLimits limits) {
    this.limits = limits;
    stacks = new OperationStacks(limits);
  }

  /**
   * Whether a file may be a profile: it begins with a plane, a message that has its number or its
   * name first.
   */
  public static boolean isProfile(byte[] head) {
    if (head.length < 8 || head[0] != 0x0A) {
      return false;
    }
    int at = 1;
    while (at < 6 && head[at] < 0) {
      at++;
    }
    at++; // The length of the plane.
    if (at < head.length - 3 && head[at] == 0x08) {
      at++;
      while (at < head.length - 3 && head[at] < 0) {
        at++;
      }
      at++; // The number of the plane.
    }
    if (at >= head.length - 2 || head[at] != 0x12) {
      return false;
    }
    int length = head[at + 1];
    if (length < 1 || at + 2 + length > head.length) {
      return false;
    }
    for (int i = at + 2; i < at + 2 + length; i++) {
      if (head[i] < ' ') {
        return false;
      }
    }
    int next = at + 2 + length;
    // A line, a name or a stat; a plane of a small file may end here.
    return next == head.length
        || head[next] == 0x1A
        || head[next] == 0x22
        || head[next] == 0x2A
        || head[next] == 0x32
        || head[next] == 0x0A;
  }

  /**
   * Reads an uncompressed profile.
   *
   * @throws FormatException if it is malformed, too large, or has no event of an allocator
   */
  public static Snapshot read(InputStream file, ReadLimits limits)
      throws IOException, FormatException {
    XplaneReader reader = new XplaneReader(limits);
    CodedInputStream in = CodedInputStream.newInstance(file);
    in.setSizeLimit(Integer.MAX_VALUE);
    try {
      reader.read(in);
    } catch (EOFException cut) {
      throw new FormatException(
          Reason.TRUNCATED, "the profile ends early", "byte " + in.getTotalBytesRead(), NEXT);
    }
    return reader.snapshot();
  }

  private void read(CodedInputStream in) throws IOException, FormatException {
    ProtobufFields fields = new ProtobufFields(in, NEXT);
    fields.message(
        number -> {
          if (number != 1 || !fields.isDelimited()) {
            return false;
          }
          PlaneReader plane = new PlaneReader(in, fields, limits, NEXT);
          plane.read();
          allEvents += plane.events();
          planes.add(plane.name());
          plane.events(
              List.of(ALLOCATION, FREE),
              (name, lineNanos, stats) -> add(plane.name(), name, lineNanos, stats));
          return true;
        });
  }

  private void add(String plane, String name, long lineNanos, EventStats stats)
      throws FormatException {
    String where = "event " + (events + 1) + " of the allocator, plane " + plane;
    // Sorting takes as much memory again as the events.
    if (events++ >= limits.maxEvents() / 4) {
      throw new FormatException(
          Reason.TOO_LARGE,
          "the profile has more than " + limits.maxEvents() / 4 + " events of allocators",
          where,
          "Profile fewer steps, or start the server with a larger heap (-Xmx).");
    }
    long requested = stats.number("requested_bytes").orElse(AllocatorEvent.NONE);
    long chunk = stats.number("allocation_bytes").orElse(requested);
    long inUse = stats.number("bytes_allocated").orElse(AllocatorEvent.NONE);
    long address = stats.number("addr").orElse(0L);
    boolean isPossible =
        chunk > 0
            && chunk < ByteSize.MAX_BYTES
            && requested <= chunk
            && inUse < ByteSize.MAX_BYTES
            && total < MAX_TOTAL
            && !(address > 0 && address + chunk < 0);
    if (!isPossible) {
      throw new FormatException(
          Reason.MALFORMED,
          "an event of the allocator has sizes that no device has",
          where,
          "Write the profile again: it is damaged.");
    }
    total += chunk;
    String allocator = stats.text("allocator_name");
    AllocatorTrace trace =
        allocators.computeIfAbsent(
            planes.size() + "\n" + allocator, _ -> new AllocatorTrace(allocator));
    if (allocators.size() > limits.maxDevices()) {
      throw new FormatException(
          Reason.TOO_LARGE,
          "the profile has more than " + limits.maxDevices() + " allocators",
          where,
          NEXT);
    }
    trace.add(
        new AllocatorEvent(
            lineNanos + stats.offsetPicos() / 1000,
            name.equals(FREE),
            address,
            chunk,
            requested,
            inUse,
            limit(stats, inUse),
            name.equals(FREE) ? 0 : stacks.of(stats)));
  }

  /** The allocator subtracts what is in use and what clients have set aside from its limit. */
  private static long limit(EventStats stats, long inUse) {
    long available = stats.number("bytes_available").orElse(AllocatorEvent.NONE);
    long reserved = stats.number("bytes_reserved").orElse(0L);
    boolean isKnown =
        inUse >= 0
            && available >= 0
            && available < ByteSize.MAX_BYTES
            && reserved >= 0
            && reserved < ByteSize.MAX_BYTES;
    return isKnown ? available + reserved + inUse : AllocatorEvent.NONE;
  }

  private Snapshot snapshot() throws FormatException {
    if (allocators.isEmpty()) {
      throw new FormatException(
          Reason.NOT_A_SNAPSHOT,
          String.format(
              Locale.ROOT,
              "this is a profile of XProf (xplane.pb) without events of an allocator"
                  + " (MemoryAllocation); it has %,d other events",
              allEvents),
          planes.stream().limit(8).collect(Collectors.joining(", ", "planes ", "")),
          RECORD);
    }
    AllocatorDevices numbers = new AllocatorDevices();
    List<DeviceSnapshot> devices = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (AllocatorTrace allocator : allocators.values()) {
      int number = numbers.number(allocator.name(), allocators.size() == 1);
      devices.add(allocator.device(number, findings));
      names.add(AllocatorDevices.named(allocator.name(), number));
    }
    findings.addFirst(
        FindingKind.BFC_EVENTS.finding(
            1,
            String.join(", ", names),
            stacks.hasOperations()
                ? "with sizes of chunks, operations and shapes"
                : "with sizes of chunks",
            "the regions of the pool"));
    return new Snapshot(
        new Origin(
            "XProf profile (xplane.pb)",
            Origin.xla(allocators.values().iterator().next().name()),
            Trace.NO_TIME),
        Optional.empty(),
        AllocatorDevices.gpus(devices),
        AllocatorDevices.pinned(devices),
        stacks.table(),
        findings);
  }
}
