package dev.vramscope.postmortem.frees;

import dev.vramscope.postmortem.cause.Candidate;
import dev.vramscope.postmortem.cause.Rejection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The free blocks at a request by their size: classes from one power of two to the next, and the
 * class of the request divided at its size, so that every class is below or above it.
 *
 * @param classes from the smallest to the largest block, with empty classes between them
 * @param requestBytes the rounded request: a class from here on has blocks that are large enough
 */
public record FreeHistogram(List<SizeClass> classes, long requestBytes) {
  public FreeHistogram {
    classes = List.copyOf(classes);
  }

  /** Where a free block is, as the request sees it. */
  public enum Place {
    /** In the pool and on the stream of the request. */
    USABLE,
    /** In the request's pool, on another stream. */
    OTHER_STREAM,
    /** In the other size class, or in another pool. */
    OTHER_POOL,
    /** Freed, but still waiting for a stream. */
    PENDING
  }

  /** A number of blocks and their bytes. */
  public record Sum(long count, long bytes) {
    static final Sum ZERO = new Sum(0, 0);

    Sum plus(Sum other) {
      return new Sum(count + other.count, bytes + other.bytes);
    }
  }

  /**
   * The blocks of some sizes.
   *
   * @param fromBytes the least size
   * @param toBytes the first size that is too large
   * @param sums by place; a place without a block has no entry
   */
  public record SizeClass(long fromBytes, long toBytes, Map<Place, Sum> sums) {
    public SizeClass {
      sums = Collections.unmodifiableMap(new TreeMap<>(sums));
    }

    /** The blocks in one place. */
    public Sum sum(Place place) {
      return sums.getOrDefault(place, Sum.ZERO);
    }

    /** The blocks in all places. */
    public Sum total() {
      return sums.values().stream().reduce(Sum.ZERO, Sum::plus);
    }
  }

  public static FreeHistogram of(List<Candidate> candidates, long requestBytes) {
    TreeMap<Long, Map<Place, Sum>> sums = new TreeMap<>();
    for (Candidate candidate : candidates) {
      long bytes = candidate.block().bytes();
      sums.computeIfAbsent(start(bytes, requestBytes), _ -> new EnumMap<>(Place.class))
          .merge(place(candidate), new Sum(1, bytes), Sum::plus);
    }
    List<SizeClass> classes = new ArrayList<>();
    if (!sums.isEmpty()) {
      for (long from = sums.firstKey(); from <= sums.lastKey(); from = end(from, requestBytes)) {
        classes.add(
            new SizeClass(from, end(from, requestBytes), sums.getOrDefault(from, Map.of())));
      }
    }
    return new FreeHistogram(classes, requestBytes);
  }

  private static Place place(Candidate candidate) {
    if (!candidate.isFree()) {
      return Place.PENDING;
    }
    return switch (candidate.rejection()) {
      case Rejection.OtherStream _ -> Place.OTHER_STREAM;
      case Rejection.OtherKind _, Rejection.OtherPool _ -> Place.OTHER_POOL;
      case Rejection.PendingFree _ -> Place.PENDING;
      case Rejection.TooSmall _,
          Rejection.ExpandableTail _,
          Rejection.OversizeRule _,
          Rejection.OversizeExcess _,
          Rejection.Unexplained _ ->
          Place.USABLE;
    };
  }

  private static long start(long bytes, long requestBytes) {
    long power = Long.highestOneBit(bytes);
    return power < requestBytes && requestBytes <= bytes ? requestBytes : power;
  }

  private static long end(long start, long requestBytes) {
    long power = start < 1L << 61 ? 2 * Long.highestOneBit(start) : Long.MAX_VALUE;
    return start < requestBytes && requestBytes < power ? requestBytes : power;
  }

  /** The classes whose blocks are too small. */
  public List<SizeClass> tooSmall() {
    return classes.stream().filter(each -> each.toBytes() <= requestBytes).toList();
  }

  /** The classes whose blocks are large enough. */
  public List<SizeClass> largeEnough() {
    return classes.stream().filter(each -> each.fromBytes() >= requestBytes).toList();
  }
}
