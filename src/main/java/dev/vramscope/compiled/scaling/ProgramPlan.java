package dev.vramscope.compiled.scaling;

import dev.vramscope.compiled.AllocationUse;
import dev.vramscope.compiled.scaling.UseTrend.Basis;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What a function needs at any value of its parameter, from its programs at some values. */
public final class ProgramPlan {
  /** More would hardly add anything. */
  public static final int MOST_PROGRAMS = 32;

  /** A range of more on either side, as a part of the bytes, is doubtful. */
  private static final double DOUBTFUL_PART = 0.1;

  /** A use with less of the growth does not decide how sure an answer is. */
  private static final double NOTABLE_PART = 0.02;

  private final List<SizedProgram> programs;
  private final boolean isOfSums;
  private final Map<AllocationUse, UseTrend> trends = new EnumMap<>(AllocationUse.class);
  private double unmatchedPart;

  /** Where a value lies among those of the programs. */
  public enum Place {
    /** It is that of a program: its bytes are stated. */
    COMPILED,
    /** Interpolation. */
    BETWEEN,
    /** Extrapolation to a smaller one. */
    BELOW,
    /** Extrapolation to a larger one. */
    ABOVE;

    /** Whether the bytes are those that a compilation states. */
    public boolean isStated() {
      return this == COMPILED;
    }
  }

  /** How sure an estimate is. */
  public enum Certainty {
    /** The text of a program states it. */
    STATED,
    /** Programs confirm the laws, and it may be off by a tenth at most as far as they tell. */
    LIKELY,
    /** Nothing checks the law. */
    ASSUMED,
    /** No law fits, or it may be off by more. */
    DOUBTFUL
  }

  private ProgramPlan(List<SizedProgram> programs, boolean isOfSums) {
    this.programs = List.copyOf(programs);
    this.isOfSums = isOfSums;
    List<Long> values = programs.stream().map(SizedProgram::value).toList();
    List<ScaledProgram> scaled =
        isOfSums || !programs.stream().allMatch(SizedProgram::hasLiveBuffers)
            ? List.of()
            : programs.stream().map(each -> new ScaledProgram(each, programs)).toList();
    for (ScaledProgram each : scaled) {
      unmatchedPart = Math.max(unmatchedPart, each.unmatchedPart());
    }
    long programBytes = programs.stream().mapToLong(this::statedBytes).max().orElseThrow();
    for (AllocationUse use : AllocationUse.values()) {
      StatedBytes stated =
          new StatedBytes(
              values, programs.stream().map(each -> each.bytes(use, isOfSums)).toList());
      if (stated.largest() > 0) {
        trends.put(use, trend(use, stated, scaled, programBytes));
      }
    }
  }

  /** Shapes give arguments and outputs exactly, or else they are not what those depend on. */
  private static UseTrend trend(
      AllocationUse use, StatedBytes stated, List<ScaledProgram> scaled, long programBytes) {
    if (!scaled.isEmpty() && !stated.isSame()) {
      ScaledTrend trend = new ScaledTrend(use, stated, scaled);
      if (use == AllocationUse.TEMPORARY || trend.heldOutBytes() == 0) {
        return trend;
      }
    }
    return SumTrend.of(stated, programBytes);
  }

  /**
   * A plan from programs in any order.
   *
   * @throws ProgramsRefusedException if they are too few or too many, have the same value, state no
   *     bytes, or are of different functions
   */
  public static ProgramPlan of(List<SizedProgram> programs) throws ProgramsRefusedException {
    requireCount(programs);
    List<SizedProgram> sorted = new ArrayList<>(programs);
    sorted.sort(Comparator.comparingLong(SizedProgram::value));
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i - 1).value() == sorted.get(i).value()) {
        throw new ProgramsRefusedException(
            sorted.get(i - 1).name()
                + " and "
                + sorted.get(i).name()
                + " have the same value, "
                + sorted.get(i).value(),
            "Give each program the value that it was compiled for, and leave out all but one of"
                + " those with the same value.");
      }
    }
    boolean isOfSums = !sorted.stream().allMatch(each -> each.program().hasAssignment());
    if (isOfSums) {
      requireSums(sorted);
    }
    SameFunction.requireSameArguments(sorted);
    return new ProgramPlan(sorted, isOfSums);
  }

  private static void requireCount(List<SizedProgram> programs) throws ProgramsRefusedException {
    if (programs.size() < 2) {
      throw new ProgramsRefusedException(
          programs.isEmpty() ? "No program has a value" : "Only one program has a value",
          "Choose two or more programs of one function, compiled for different values.");
    }
    if (programs.size() > MOST_PROGRAMS) {
      throw new ProgramsRefusedException(
          programs.size() + " programs are chosen", "Choose 2 to " + MOST_PROGRAMS + ".");
    }
  }

  private static void requireSums(List<SizedProgram> programs) throws ProgramsRefusedException {
    for (SizedProgram each : programs) {
      if (!each.hasSums()) {
        throw new ProgramsRefusedException(
            each.program().hasAssignment()
                ? each.name()
                    + " has a buffer assignment and no memory_analysis(), and another program has"
                    + " no buffer assignment"
                : "The temporary memory of " + each.name() + " is not known",
            "Leave it out, or upload buffer-assignment.txt or memory_analysis() of every program.");
      }
    }
  }

  /** By ascending value. */
  public List<SizedProgram> programs() {
    return programs;
  }

  /** Whether bytes are sums of {@code memory_analysis()}, which leaves constants out. */
  public boolean isOfSums() {
    return isOfSums;
  }

  /** Whether buffers are scaled one by one, which takes the live ranges of all programs. */
  public boolean isOfBuffers() {
    return trends.values().stream().anyMatch(each -> each.basis() == Basis.BUFFERS);
  }

  /** Whether names of programs differ in more than numbers. */
  public boolean hasDifferentNames() {
    return programs.stream()
            .map(each -> SameFunction.nameWithoutNumbers(each.program().name()))
            .distinct()
            .count()
        > 1;
  }

  /**
   * Temporary buffers whose shape is in no other program and which are taken as linear, as a part
   * of the bytes; 0 if buffers are not scaled.
   */
  public double unmatchedPart() {
    return unmatchedPart;
  }

  /** The trend of each use that has bytes in some program. */
  public Map<AllocationUse, UseTrend> trends() {
    return new EnumMap<>(trends);
  }

  /** The bytes of a program, as its texts state them. */
  public long statedBytes(SizedProgram program) {
    long sum = 0;
    for (AllocationUse use : AllocationUse.values()) {
      sum += program.bytes(use, isOfSums);
    }
    return sum;
  }

  /** The bytes of a use of a program, as its texts state them. */
  public long statedBytes(SizedProgram program, AllocationUse use) {
    return program.bytes(use, isOfSums);
  }

  /** All bytes of the program at a value: arguments, outputs, temporary memory and constants. */
  public ByteEstimate at(long value) {
    ByteEstimate sum = ByteEstimate.NOTHING;
    for (UseTrend trend : trends.values()) {
      sum = sum.plus(trend.at(value));
    }
    return sum;
  }

  public Place place(long value) {
    if (programs.stream().anyMatch(each -> each.value() == value)) {
      return Place.COMPILED;
    }
    return value < programs.getFirst().value()
        ? Place.BELOW
        : value > programs.getLast().value() ? Place.ABOVE : Place.BETWEEN;
  }

  /** How sure the bytes of the program at a value are. */
  public Certainty certainty(long value) {
    if (place(value) == Place.COMPILED) {
      return Certainty.STATED;
    }
    ByteEstimate all = at(value);
    double bytes = all.likely() == null ? 0 : all.likely();
    double above = all.most() - bytes;
    double below = bytes - all.least();
    if (all.likely() == null || Math.max(above, below) > DOUBTFUL_PART * bytes) {
      return Certainty.DOUBTFUL;
    }
    for (UseTrend trend : trends.values()) {
      if (trend.basis() == Basis.ASSUMED_LINE && growth(trend, value) > NOTABLE_PART * bytes) {
        return Certainty.ASSUMED;
      }
    }
    return Certainty.LIKELY;
  }

  /** How far a use is from its bytes in the nearest program at the ends. */
  private double growth(UseTrend trend, long value) {
    long end =
        value > programs.getFirst().value()
            ? programs.getLast().value()
            : programs.getFirst().value();
    return Math.abs(trend.at(value).most() - trend.at(end).most());
  }

  /** The largest value whose program needs no more than some bytes. */
  public LargestSize largest(long bytes) {
    long most = largest(bytes, ByteEstimate::least);
    long least = largest(bytes, ByteEstimate::most);
    if (most == 0) {
      return new LargestSize(null, 0, 0, LargestSize.End.NONE);
    }
    if (least == SizedProgram.MOST_VALUE) {
      return new LargestSize(null, least, most, LargestSize.End.EVERY);
    }
    return new LargestSize(likely(bytes, least, most), least, most, LargestSize.End.FOUND);
  }

  /** Null if no law fits where the largest value may be. */
  private @Nullable Long likely(long bytes, long least, long most) {
    if (least == most) {
      return least;
    }
    boolean isLikely = at(most).likely() != null && at(Math.max(1, least)).likely() != null;
    return isLikely
        ? (Long) largest(bytes, each -> each.likely() == null ? each.most() : each.likely())
        : null;
  }

  /** 0 if none fits. Stated bytes count where bytes do not rise with the value. */
  private long largest(long bytes, ToLongFunction<ByteEstimate> chosen) {
    long fits = 0;
    for (SizedProgram program : programs) {
      fits = statedBytes(program) <= bytes ? program.value() : fits;
    }
    long fails = Math.max(programs.getLast().value(), fits) + 1;
    while (chosen.applyAsLong(at(fails)) <= bytes) {
      fits = fails;
      if (fails == SizedProgram.MOST_VALUE) {
        return fits;
      }
      fails = Math.min(SizedProgram.MOST_VALUE, 2 * fails);
    }
    // Between two programs, bytes are searched up to the next one only.
    for (SizedProgram program : programs) {
      if (program.value() > fits) {
        fails = Math.min(fails, program.value());
      }
    }
    while (fails - fits > 1) {
      long middle = fits + (fails - fits) / 2;
      if (chosen.applyAsLong(at(middle)) <= bytes) {
        fits = middle;
      } else {
        fails = middle;
      }
    }
    return fits;
  }
}
