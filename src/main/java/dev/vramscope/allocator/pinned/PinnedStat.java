package dev.vramscope.allocator.pinned;

/**
 * A counter, as PyTorch keeps it.
 *
 * @param current the present value
 * @param peak the highest value since the last reset of peaks
 * @param allocated sum of all increases
 * @param freed sum of all decreases
 */
public record PinnedStat(long current, long peak, long allocated, long freed) {
  static final PinnedStat ZERO = new PinnedStat(0, 0, 0, 0);

  PinnedStat increased(long amount) {
    return new PinnedStat(
        current + amount, Math.max(peak, current + amount), allocated + amount, freed);
  }

  PinnedStat decreased(long amount) {
    return new PinnedStat(current - amount, peak, allocated, freed + amount);
  }

  PinnedStat withPeakReset() {
    return new PinnedStat(current, current, allocated, freed);
  }
}
