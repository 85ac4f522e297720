package dev.vramscope.compiled.scaling;

import dev.vramscope.compiled.AllocationUse;
import java.util.List;

/**
 * The trend of programs whose buffers are known: each program is scaled to the value. Between two
 * programs both are, and the nearer one counts more; beyond them, the nearest is.
 *
 * <p>The check is that each program, scaled, predicts its neighbours. What that is off is what an
 * estimate may be off, once for each doubling of the value beyond the programs: at another value,
 * the compiler may fuse and pack otherwise.
 */
final class ScaledTrend implements UseTrend {
  /** Estimates of programs that predict each other exactly are still off by this, by a doubling. */
  private static final double LEAST_PART = 0.01;

  /** The same for two programs, which are one check. */
  private static final double LEAST_PART_OF_TWO = 0.06;

  private static final double MOST_PART = 0.9;

  private final AllocationUse use;
  private final StatedBytes stated;
  private final List<ScaledProgram> programs;

  /** What a program is off for its neighbour, as a part of the bytes, by a doubling. */
  private final double part;

  private final long heldOut;

  /**
   * A trend.
   *
   * @param programs those of the stated bytes, in their order
   */
  ScaledTrend(AllocationUse use, StatedBytes stated, List<ScaledProgram> programs) {
    this.use = use;
    this.stated = stated;
    this.programs = List.copyOf(programs);
    double most = 0;
    double bytes = 0;
    for (int i = 1; i < stated.count(); i++) {
      double doublings = doublings(stated.value(i - 1), stated.value(i));
      double up = programs.get(i - 1).bytes(use, stated.value(i)) - stated.bytes(i);
      double down = programs.get(i).bytes(use, stated.value(i - 1)) - stated.bytes(i - 1);
      bytes = Math.max(bytes, Math.max(Math.abs(up), Math.abs(down)));
      most =
          Math.max(
              most,
              Math.max(
                      Math.abs(up) / Math.max(1, stated.bytes(i)),
                      Math.abs(down) / Math.max(1, stated.bytes(i - 1)))
                  / Math.max(1, doublings));
    }
    heldOut = Math.round(bytes);
    boolean isOfShapes = use != AllocationUse.TEMPORARY && bytes < 1;
    double least = stated.count() == 2 ? LEAST_PART_OF_TWO : LEAST_PART;
    part = isOfShapes ? 0 : Math.max(least, most);
  }

  private static double doublings(double from, double to) {
    return Math.abs(Math.log(to / from)) / Math.log(2);
  }

  @Override
  public ByteEstimate at(long value) {
    int program = stated.programOf(value);
    if (program >= 0) {
      return ByteEstimate.exactly(stated.bytes().get(program));
    }
    if (stated.isBetween(value)) {
      int below = stated.below(value);
      double weight = stated.part(below, value);
      double likely =
          (1 - weight) * programs.get(below).bytes(use, (double) value)
              + weight * programs.get(below + 1).bytes(use, (double) value);
      return ByteEstimate.around(likely, part * likely);
    }
    ScaledProgram end = stated.below(value) < 0 ? programs.getFirst() : programs.getLast();
    double likely = end.bytes(use, (double) value);
    double off = part * Math.max(1, doublings((double) end.value(), (double) value));
    return ByteEstimate.around(likely, Math.min(MOST_PART, off) * likely);
  }

  @Override
  public Basis basis() {
    return Basis.BUFFERS;
  }

  @Override
  public long residualBytes() {
    return 0;
  }

  @Override
  public long heldOutBytes() {
    return heldOut;
  }

  @Override
  public double partByDoubling() {
    return part;
  }
}
