package dev.vramscope.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pairs the operations of two recordings.
 *
 * <p>Equal sequences, the usual case, take one scan. After a difference the scan goes on where the
 * recordings agree again:
 *
 * <ol>
 *   <li>The fewest operations to leave out so that {@link #AGREED} in a row agree, by Myers' greedy
 *       algorithm, up to {@link #MOST_EDITS}.
 *   <li>Beyond that, as after a loop that ran longer, the nearest place where {@link #GRAM}
 *       operations in a row have the same keys on both sides.
 *   <li>The rest of both recordings is one difference.
 * </ol>
 *
 * An operation whose allocation has no stack is recognized by its size, which has to be constant or
 * a product of the parameters, unless the sequences agree as a whole.
 */
final class Aligner {
  static final int MOST_EDITS = 1_500;
  private static final int AGREED = 24;
  private static final int GRAM = 12;

  /** Steps of the searches after differences; a second or two. */
  private static final long MOST_STEPS = 200_000_000;

  private final PlannedOperations a;
  private final PlannedOperations b;
  private final SizePairs sizes;
  private final int[] partners;
  private final List<Difference> differences = new ArrayList<>();
  private boolean isStrict;
  private long steps;

  private Aligner(PlannedOperations a, PlannedOperations b, SizePairs sizes) {
    this.a = a;
    this.b = b;
    this.sizes = sizes;
    partners = new int[a.count()];
  }

  static Alignment of(PlannedOperations a, PlannedOperations b, SizePairs sizes) {
    return new Aligner(a, b, sizes).align();
  }

  private Alignment align() {
    Arrays.fill(partners, Alignment.NONE);
    pairEarlier();
    int i = a.earlier();
    int j = b.earlier();
    if (agreeAsWhole(i, j)) {
      return new Alignment(partners, joined(), /* isWhole= */ true);
    }
    isStrict = true;
    boolean isWhole = scan(i, j);
    isStrict = false;
    List<Difference> places = joined();
    differences.clear();
    places.forEach(this::pairInOrder);
    return new Alignment(partners, joined(), isWhole);
  }

  /**
   * Pairs what has no stack and an inexact size, such as the workspace of a kernel, where nothing
   * else was left out on the way: in their order, as far as the sizes are possible.
   */
  private void pairInOrder(Difference place) {
    int i = place.first();
    int j = place.otherFirst();
    int endA = i + place.count();
    int endB = j + place.otherCount();
    if (place.count() == place.otherCount() && i >= a.earlier()) {
      while (i < endA && agree(i, j) && isOfPair(i, j)) {
        partners[i++] = j++;
      }
    }
    if (i < endA || j < endB) {
      differences.add(new Difference(i, endA - i, j, endB - j));
    }
  }

  /** Whether an operation on a block is paired with one on the partner of that block. */
  private boolean isOfPair(int i, int j) {
    int subject = a.subject(i);
    return subject == PlannedOperations.NO_SUBJECT
        || subject == i
        || partners[subject] == b.subject(j);
  }

  /**
   * Blocks from before the recordings, of which only the sizes are known: first those of the same
   * size, then the others by their order.
   */
  private void pairEarlier() {
    EarlierBlocks.pair(a, b, sizes, partners);
    int alone = 0;
    for (int i = 0; i < a.earlier(); i++) {
      alone += partners[i] == Alignment.NONE ? 1 : 0;
    }
    int otherAlone = b.earlier() - (a.earlier() - alone);
    if (alone > 0 || otherAlone > 0) {
      differences.add(new Difference(0, alone, 0, otherAlone));
    }
  }

  private boolean agreeAsWhole(int i, int j) {
    if (a.count() - i != b.count() - j) {
      return false;
    }
    for (int at = 0; i + at < a.count(); at++) {
      if (!agree(i + at, j + at)) {
        return false;
      }
    }
    for (int at = 0; i + at < a.count(); at++) {
      partners[i + at] = j + at;
    }
    return true;
  }

  private boolean scan(int fromA, int fromB) {
    int i = fromA;
    int j = fromB;
    while (i < a.count() || j < b.count()) {
      while (i < a.count() && j < b.count() && agree(i, j)) {
        partners[i++] = j++;
      }
      if (i == a.count() || j == b.count()) {
        break;
      }
      int[] next = afterFewEdits(i, j);
      if (next == null) {
        next = atNextGram(i, j);
      }
      if (next == null) {
        differences.add(new Difference(i, a.count() - i, j, b.count() - j));
        return false;
      }
      i = next[0];
      j = next[1];
    }
    if (i < a.count() || j < b.count()) {
      differences.add(new Difference(i, a.count() - i, j, b.count() - j));
    }
    return true;
  }

  private boolean agree(int i, int j) {
    if (a.key(i) != b.key(j)) {
      return false;
    }
    long first = a.bytes(i);
    long second = b.bytes(j);
    if (first == second) {
      return true;
    }
    boolean isSizeNeeded = isStrict && !a.hasStack(i);
    return isSizeNeeded ? sizes.areExact(first, second) : sizes.arePossible(first, second);
  }

  // Few edits -----------------------------------------------------------------------------------

  /**
   * The furthest points that each number of edits reaches, by diagonal: {@code x - y = diagonal}.
   *
   * @return where both go on, or null if more edits are needed; what agrees before it is paired
   */
  private int @Nullable [] afterFewEdits(int fromA, int fromB) {
    int lengthA = a.count() - fromA;
    int lengthB = b.count() - fromB;
    int[] reached = new int[2 * MOST_EDITS + 3];
    int middle = MOST_EDITS + 1;
    List<int[]> history = new ArrayList<>();
    for (int edits = 1; edits <= MOST_EDITS && steps < MOST_STEPS; edits++) {
      history.add(Arrays.copyOfRange(reached, middle - edits, middle + edits + 1));
      for (int diagonal = -edits; diagonal <= edits; diagonal += 2) {
        boolean isFromB =
            diagonal == -edits
                || (diagonal != edits
                    && reached[middle + diagonal - 1] < reached[middle + diagonal + 1]);
        int x = isFromB ? reached[middle + diagonal + 1] : reached[middle + diagonal - 1] + 1;
        int y = x - diagonal;
        int begin = x;
        while (x < lengthA && y < lengthB && y >= 0 && agree(fromA + x, fromB + y)) {
          x++;
          y++;
          steps++;
          if (x - begin >= AGREED) {
            break;
          }
        }
        steps++;
        reached[middle + diagonal] = x;
        boolean isEnd = x == lengthA && y == lengthB;
        if ((x - begin >= AGREED || isEnd) && x <= lengthA && y <= lengthB) {
          pairBack(fromA, fromB, begin, diagonal, edits, history);
          return new int[] {fromA + begin, fromB + begin - diagonal};
        }
      }
    }
    return null;
  }

  /** Pairs what agrees on the way to a point, and notes the operations that are left out. */
  private void pairBack(
      int fromA, int fromB, int toX, int toDiagonal, int lastEdits, List<int[]> history) {
    List<Difference> lastFirst = new ArrayList<>();
    int x = toX;
    int diagonal = toDiagonal;
    for (int edits = lastEdits; edits >= 1; edits--) {
      int[] before = history.get(edits - 1);
      int center = edits;
      boolean isFromB =
          diagonal == -edits
              || (diagonal != edits
                  && before[center + diagonal - 1] < before[center + diagonal + 1]);
      int entry = isFromB ? before[center + diagonal + 1] : before[center + diagonal - 1] + 1;
      while (x > entry) {
        x--;
        partners[fromA + x] = fromB + x - diagonal;
      }
      if (isFromB) {
        diagonal++;
        lastFirst.add(new Difference(fromA + x, 0, fromB + x - diagonal, 1));
      } else {
        x--;
        diagonal--;
        lastFirst.add(new Difference(fromA + x, 1, fromB + x - diagonal, 0));
      }
    }
    differences.addAll(lastFirst.reversed());
  }

  // Many edits ----------------------------------------------------------------------------------

  private int @Nullable [] atNextGram(int fromA, int fromB) {
    NextMatch search = new NextMatch(a, b, GRAM);
    int[] match =
        search.find(fromA, fromB, (i, j) -> agreeInRow(i, j), Math.max(0, MOST_STEPS - steps));
    steps += search.steps();
    if (match != null) {
      differences.add(new Difference(fromA, match[0] - fromA, fromB, match[1] - fromB));
    }
    return match;
  }

  private boolean agreeInRow(int i, int j) {
    for (int at = 0; at < GRAM; at++) {
      if (!agree(i + at, j + at)) {
        return false;
      }
    }
    return true;
  }

  /** Neighbouring differences as one. */
  private List<Difference> joined() {
    List<Difference> joined = new ArrayList<>();
    for (Difference next : differences) {
      Difference last = joined.isEmpty() ? null : joined.getLast();
      if (last != null
          && last.first() + last.count() == next.first()
          && last.otherFirst() + last.otherCount() == next.otherFirst()) {
        joined.set(
            joined.size() - 1,
            new Difference(
                last.first(),
                last.count() + next.count(),
                last.otherFirst(),
                last.otherCount() + next.otherCount()));
      } else {
        joined.add(next);
      }
    }
    return joined;
  }
}
