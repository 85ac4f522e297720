package dev.vramscope.allocator.caching;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random but repeatable operations for property tests. */
final class Workload {
  private static final long KIB = 1L << 10;
  private static final long MIB = 1L << 20;

  /** One operation on a numbered block; the kind determines which components are used. */
  record Step(Kind kind, int id, long bytes, int stream) {}

  enum Kind {
    ALLOCATE,
    FREE,
    RECORD_STREAM,
    SYNCHRONIZE,
    EMPTY_CACHE,
    SET_FRACTION
  }

  private Workload() {}

  static List<Step> random(long seed, int steps) {
    SplittableRandom random = new SplittableRandom(seed);
    int liveTarget = 4 + random.nextInt(60);
    int streams = 1 + random.nextInt(3);
    boolean fractions = random.nextInt(4) == 0;
    List<Integer> live = new ArrayList<>();
    List<Step> workload = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      int dice = random.nextInt(100);
      if (dice < 2) {
        workload.add(new Step(Kind.EMPTY_CACHE, 0, 0, 0));
      } else if (dice < 6) {
        workload.add(new Step(Kind.SYNCHRONIZE, 0, 0, random.nextInt(streams)));
      } else if (dice < 7 && fractions) {
        workload.add(new Step(Kind.SET_FRACTION, 0, random.nextInt(101), 0));
      } else if (dice < 17 && !live.isEmpty()) {
        int id = live.get(random.nextInt(live.size()));
        workload.add(new Step(Kind.RECORD_STREAM, id, 0, random.nextInt(streams)));
      } else if (live.size() > random.nextInt(2 * liveTarget)) {
        int id = live.remove(/* index */ random.nextInt(live.size()));
        workload.add(new Step(Kind.FREE, id, 0, 0));
      } else {
        live.add(i);
        workload.add(new Step(Kind.ALLOCATE, i, bytes(random), random.nextInt(streams)));
      }
    }
    return workload;
  }

  /** Sizes around every threshold, with few distinct values so that equal sizes occur. */
  private static long bytes(SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0 -> 1 + random.nextLong(2 * KIB);
      case 1 -> 512 * (1 + random.nextLong(16));
      case 2 -> MIB - 512 + random.nextLong(1025);
      case 3 -> MIB + random.nextLong(9 * MIB);
      case 4 -> 2 * MIB * (1 + random.nextLong(4));
      case 5 -> 10 * MIB - 512 + random.nextLong(1025);
      case 6 -> 20 * MIB + random.nextLong(30 * MIB);
      default -> 64 * KIB * (1 + random.nextLong(32));
    };
  }
}
