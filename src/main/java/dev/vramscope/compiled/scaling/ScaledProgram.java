package dev.vramscope.compiled.scaling;

import dev.vramscope.compiled.AllocationUse;
import dev.vramscope.compiled.LiveRanges;
import dev.vramscope.compiled.LiveRanges.Range;
import dev.vramscope.compiled.ProgramAllocation;
import dev.vramscope.compiled.ProgramBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A program of which each buffer is scaled to another value. Temporary memory is then what is live
 * at the position with the most of it, times what packing takes beyond that in the program itself.
 * Which position that is can change: the scores of attention overtake the activations at some
 * length.
 *
 * <p>XLA also puts temporary values into donated arguments and outputs. Where they grow and the
 * donated memory does not, they need memory of their own.
 */
final class ScaledProgram {
  /** Moments that another is compared with, to leave out those that never have the most. */
  private static final int MOST_COMPARED = 200;

  /** A value inside donated memory or an output, which may outgrow it. */
  private record Guest(ShapeGrowth growth, double bytes, ShapeGrowth hostGrowth, double hostBytes) {
    double bytesAt(double value) {
      double scaled = bytes * growth.factor(value);
      return scaled > hostBytes * hostGrowth.factor(value) ? scaled : 0;
    }
  }

  /** What is live at a position: bytes in temporary memory by growth, and guests. */
  private record Moment(Map<ShapeGrowth, Double> temporary, List<Guest> guests) {
    /** Whether it needs as much as another moment at every value. */
    boolean isAtLeast(Moment other) {
      return other.temporary.entrySet().stream()
              .allMatch(each -> temporary.getOrDefault(each.getKey(), 0.0) >= each.getValue())
          && guests.containsAll(other.guests);
    }

    double sum() {
      return temporary.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    double bytesAt(double value) {
      double sum = 0;
      for (Map.Entry<ShapeGrowth, Double> each : temporary.entrySet()) {
        sum += each.getValue() * each.getKey().factor(value);
      }
      for (Guest guest : guests) {
        sum += guest.bytesAt(value);
      }
      return sum;
    }
  }

  /** A buffer with the allocation that it is in. */
  private record Placed(
      ProgramBuffer buffer,
      Range range,
      ShapeGrowth growth,
      ProgramAllocation host,
      ShapeGrowth hostGrowth) {}

  private final SizedProgram program;
  private final Map<AllocationUse, Map<ShapeGrowth, Double>> whole = new HashMap<>();
  private final List<Moment> moments = new ArrayList<>();
  private double temporaryBytes;
  private double unmatchedBytes;

  ScaledProgram(SizedProgram program, List<SizedProgram> programs) {
    this.program = program;
    ShapeMatches matches = new ShapeMatches(program, programs);
    LiveRanges ranges = program.program().liveRanges().orElseThrow();
    List<Placed> placed = new ArrayList<>();
    for (ProgramAllocation allocation : program.allocations()) {
      ShapeGrowth own = matches.of(allocation).orElse(ShapeGrowth.linear(program.value()));
      whole
          .computeIfAbsent(allocation.use(), _ -> new HashMap<>())
          .merge(own, (double) allocation.bytes(), Double::sum);
      if (!isScaled(allocation.use())) {
        continue;
      }
      for (ProgramBuffer buffer : allocation.buffers()) {
        Range range = ranges.ranges().get(buffer.key());
        if (range == null) {
          continue;
        }
        ShapeGrowth growth = matches.of(buffer).orElse(null);
        if (allocation.use() == AllocationUse.TEMPORARY) {
          temporaryBytes += buffer.bytes();
          unmatchedBytes += growth == null ? buffer.bytes() : 0;
        }
        ShapeGrowth known = growth == null ? ShapeGrowth.linear(program.value()) : growth;
        if (allocation.use() == AllocationUse.TEMPORARY || known.degree() > own.degree()) {
          placed.add(new Placed(buffer, range, known, allocation, own));
        }
      }
    }
    addMoments(placed);
  }

  private static boolean isScaled(AllocationUse use) {
    return use == AllocationUse.TEMPORARY
        || use == AllocationUse.ALIASED
        || use == AllocationUse.OUTPUT;
  }

  /** Most is live where a buffer begins. What never has the most is left out. */
  private void addMoments(List<Placed> placed) {
    TreeMap<Integer, List<Placed>> starting = new TreeMap<>();
    for (Placed each : placed) {
      starting.computeIfAbsent(each.range.start(), _ -> new ArrayList<>()).add(each);
    }
    List<Placed> live = new ArrayList<>();
    Set<Moment> all = new HashSet<>();
    for (Map.Entry<Integer, List<Placed>> position : starting.entrySet()) {
      live.removeIf(each -> each.range.end() < position.getKey());
      live.addAll(position.getValue());
      all.add(moment(live));
    }
    List<Moment> largestFirst = new ArrayList<>(all);
    largestFirst.sort(Comparator.comparingDouble(Moment::sum).reversed());
    for (Moment each : largestFirst) {
      if (moments.stream().limit(MOST_COMPARED).noneMatch(other -> other.isAtLeast(each))) {
        moments.add(each);
      }
    }
  }

  private static Moment moment(List<Placed> live) {
    List<Placed> inOrder = new ArrayList<>(live);
    inOrder.sort(
        Comparator.comparingInt((Placed each) -> each.host.index())
            .thenComparingLong(each -> each.buffer.offset())
            .thenComparingLong(each -> -each.buffer.bytes()));
    Map<ShapeGrowth, Double> temporary = new HashMap<>();
    List<Guest> guests = new ArrayList<>();
    @Nullable Placed largest = null;
    long end = 0;
    for (Placed each : inOrder) {
      if (largest == null
          || largest.host.index() != each.host.index()
          || each.buffer.offset() >= end) {
        add(largest, temporary, guests);
        largest = each;
        end = each.buffer.end();
      } else {
        // Written in place: the same memory.
        largest = each.buffer.bytes() > largest.buffer.bytes() ? each : largest;
        end = Math.max(end, each.buffer.end());
      }
    }
    add(largest, temporary, guests);
    return new Moment(temporary, guests);
  }

  private static void add(
      @Nullable Placed placed, Map<ShapeGrowth, Double> temporary, List<Guest> guests) {
    if (placed == null) {
      return;
    }
    ProgramAllocation host = placed.host;
    double bytes = placed.buffer.bytes();
    if (host.use() == AllocationUse.TEMPORARY) {
      temporary.merge(placed.growth, bytes, Double::sum);
    } else {
      guests.add(new Guest(placed.growth, bytes, placed.hostGrowth, host.bytes()));
    }
  }

  /** The bytes of a use at another value. */
  double bytes(AllocationUse use, double value) {
    if (use != AllocationUse.TEMPORARY) {
      double sum = 0;
      for (Map.Entry<ShapeGrowth, Double> each : whole.getOrDefault(use, Map.of()).entrySet()) {
        sum += each.getValue() * each.getKey().factor(value);
      }
      return sum;
    }
    double stated = program.bytes(use, /* isOfSums= */ false);
    double live = liveBytes((double) program.value());
    return live == 0 ? stated : stated * (liveBytes(value) / live);
  }

  private double liveBytes(double value) {
    double most = 0;
    for (Moment moment : moments) {
      most = Math.max(most, moment.bytesAt(value));
    }
    return most;
  }

  /** Temporary buffers for which no other program has such a shape, as a part of the bytes. */
  double unmatchedPart() {
    return temporaryBytes == 0 ? 0 : unmatchedBytes / temporaryBytes;
  }

  long value() {
    return program.value();
  }
}
