package dev.vramscope.compiled;

import dev.vramscope.compiled.LiveRanges.Range;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The position at which most bytes are live.
 *
 * @param bytes the sum of the buffers that are live there, as XLA counts it
 * @param distinctBytes of memory that these buffers use: some of them can share bytes
 * @param isStated whether the file says which position it is
 * @param buffers the live ones, largest first
 * @param temporaryBytes temporary memory
 * @param occupiedBytes of it, where a live buffer is; the rest is free for others at this position
 */
public record PeakMoment(
    int position,
    String instruction,
    long bytes,
    long distinctBytes,
    boolean isStated,
    List<LiveBuffer> buffers,
    long temporaryBytes,
    long occupiedBytes) {
  /** A buffer that is live, with the use of its allocation. */
  public record LiveBuffer(ProgramBuffer buffer, AllocationUse use, Range range) {}

  public PeakMoment {
    buffers = List.copyOf(buffers);
  }

  /** The peak; empty without an assignment or live ranges. */
  public static Optional<PeakMoment> of(CompiledProgram program) {
    if (!program.hasAssignment() || program.liveRanges().isEmpty()) {
      return Optional.empty();
    }
    LiveRanges ranges = program.liveRanges().get();
    boolean isStated = ranges.peakPosition() >= 0;
    int position = isStated ? ranges.peakPosition() : highest(program, ranges);
    return position < 0 ? Optional.empty() : Optional.of(at(position, isStated, program, ranges));
  }

  private static PeakMoment at(
      int position, boolean isStated, CompiledProgram program, LiveRanges ranges) {
    List<LiveBuffer> live = new ArrayList<>();
    long temporary = 0;
    long occupied = 0;
    long distinct = 0;
    for (ProgramAllocation allocation : program.allocations()) {
      List<ProgramBuffer> here = new ArrayList<>();
      for (ProgramBuffer buffer : allocation.buffers()) {
        Range range = ranges.ranges().get(buffer.key());
        if (range != null && range.contains(position)) {
          here.add(buffer);
          live.add(new LiveBuffer(buffer, allocation.use(), range));
        }
      }
      long used = union(here);
      distinct += used;
      if (allocation.use() == AllocationUse.TEMPORARY) {
        temporary += allocation.bytes();
        occupied += used;
      }
    }
    live.sort(
        Comparator.comparingLong((LiveBuffer each) -> each.buffer().bytes())
            .reversed()
            .thenComparing(each -> each.buffer().key()));
    return new PeakMoment(
        position,
        ranges.instruction(position),
        live.stream().mapToLong(each -> each.buffer().bytes()).sum(),
        distinct,
        isStated,
        live,
        temporary,
        occupied);
  }

  private static int highest(CompiledProgram program, LiveRanges ranges) {
    long[] changes = new long[ranges.length() + 2];
    for (ProgramBuffer buffer : program.buffers()) {
      Range range = ranges.ranges().get(buffer.key());
      if (range != null) {
        changes[range.start()] += buffer.bytes();
        changes[range.end() + 1] -= buffer.bytes();
      }
    }
    int highest = -1;
    long most = 0;
    long bytes = 0;
    for (int position = 0; position < changes.length; position++) {
      bytes += changes[position];
      if (bytes > most) {
        most = bytes;
        highest = position;
      }
    }
    return highest;
  }

  /** Bytes where at least one of the buffers is. */
  private static long union(List<ProgramBuffer> buffers) {
    List<ProgramBuffer> sorted =
        buffers.stream().sorted(Comparator.comparingLong(ProgramBuffer::offset)).toList();
    long bytes = 0;
    long end = 0;
    for (ProgramBuffer each : sorted) {
      bytes += Math.max(0, each.end() - Math.max(end, each.offset()));
      end = Math.max(end, each.end());
    }
    return bytes;
  }
}
