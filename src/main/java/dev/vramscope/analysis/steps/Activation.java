package dev.vramscope.analysis.steps;

import dev.vramscope.analysis.steps.CodeLoop.Code;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One call of a function: the positions in its code that its allocations show, in the order of
 * time. Where the positions go back, the function runs a loop:
 *
 * <pre>
 *   line       14 17 18 19   14 17 18 19   14 17 18 19   33
 *   iteration  └─ 1          └─ 2          └─ 3          after the loop
 * </pre>
 *
 * A position is a line and, within it, the order in which the functions that the line calls were
 * first called: a loop may stand on one line. Positions also go back where a statement has several
 * lines; such a position is reached once in each call or iteration, the head of a loop several
 * times.
 */
final class Activation {
  /** The slot of allocations that the function makes itself. */
  static final int ITSELF = -1;

  private static final int SLOT_BITS = 16;
  private static final int MOST_SLOTS = (1 << SLOT_BITS) - 1;

  /** Deeper loops are not searched: positions could go back ever further. */
  private static final int MOST_NESTED = 12;

  private static final Comparator<CodeLoop> IN_TIME = Comparator.comparingInt(CodeLoop::from);

  private final int caller;
  private final int function;
  private int line;
  private int[] slots = new int[2];
  private int slotCount;
  private long[] positions = new long[4];
  private int[] events = new int[4];
  private int size;
  private final List<CodeLoop> called = new ArrayList<>();

  Activation(int caller, int function, int line, int event) {
    this.caller = caller;
    this.function = function;
    moveTo(line, event);
  }

  /** Follows the function to another line. */
  void moveTo(int newLine, int event) {
    line = newLine;
    slotCount = 0;
    reach(position(0), event);
  }

  /** Follows the function to a function that its line calls, or to {@link #ITSELF}. */
  void call(int slot, int event) {
    for (int i = 0; i < slotCount; i++) {
      if (slots[i] == slot) {
        reach(position(i), event);
        return;
      }
    }
    if (slotCount == MOST_SLOTS) {
      return;
    }
    if (slotCount == slots.length) {
      slots = Arrays.copyOf(slots, 2 * slotCount);
    }
    slots[slotCount] = slot;
    reach(position(slotCount++), event);
  }

  private long position(int slot) {
    return ((long) line << SLOT_BITS) | slot;
  }

  private void reach(long position, int event) {
    if (size > 0 && positions[size - 1] == position) {
      return;
    }
    if (size == positions.length) {
      positions = Arrays.copyOf(positions, 2 * size);
      events = Arrays.copyOf(events, 2 * size);
    }
    positions[size] = position;
    events[size++] = event;
  }

  /** Takes the loops of a function that this one has called. */
  void addCalled(List<CodeLoop> loops) {
    called.addAll(loops);
  }

  /**
   * The loops of this call and of the functions that it called: the outermost ones, which contain
   * the others.
   *
   * @param end after its last event
   */
  List<CodeLoop> loops(int end, SearchBudget budget) {
    List<CodeLoop> own = loops(0, size, end, 0, budget);
    if (own.isEmpty()) {
      return called;
    }
    List<CodeLoop> outermost = new ArrayList<>(own);
    IdentityHashMap<List<CodeLoop>, List<CodeLoop>> inside = new IdentityHashMap<>();
    for (CodeLoop loop : called) {
      CodeLoop outer = containing(loop, own);
      if (outer == null) {
        outermost.add(loop);
      } else {
        inside.computeIfAbsent(outer.nested(), _ -> new ArrayList<>()).add(loop);
      }
    }
    inside.forEach(
        (nested, added) -> {
          nested.addAll(added);
          nested.sort(IN_TIME);
        });
    outermost.sort(IN_TIME);
    return outermost;
  }

  /** The innermost of some loops that contains another one; null if none does. */
  private static @Nullable CodeLoop containing(CodeLoop loop, List<CodeLoop> loops) {
    int low = 0;
    int high = loops.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      CodeLoop outer = loops.get(middle);
      if (loop.from() < outer.from()) {
        high = middle - 1;
      } else if (loop.from() >= outer.end()) {
        low = middle + 1;
      } else {
        CodeLoop inner = containing(loop, outer.nested());
        return inner == null ? outer : inner;
      }
    }
    return null;
  }

  /**
   * The loops among the positions {@code [from, to)}, in the order of time.
   *
   * @param end after the last event of these positions
   */
  private List<CodeLoop> loops(int from, int to, int end, int depth, SearchBudget budget) {
    List<CodeLoop> loops = new ArrayList<>();
    int at = from;
    while (to - at > 2 && depth < MOST_NESTED) {
      Region region = region(at, to, budget);
      if (region == null) {
        break;
      }
      loops.addAll(loops(at, region.from, events[region.from], depth + 1, budget));
      loops.add(
          loop(region, region.to < size ? Math.min(end, events[region.to]) : end, depth, budget));
      at = region.to;
    }
    return loops;
  }

  /** The positions {@code [from, to)} of a loop, the first of which is not always its head. */
  private record Region(long head, int from, int to) {}

  /** The outermost loop among some positions; null if there is none. */
  private @Nullable Region region(int from, int to, SearchBudget budget) {
    if (!budget.take(to - from)) {
      return null;
    }
    NavigableMap<Long, Arrivals> heads = new TreeMap<>();
    for (int i = from + 1; i < to; i++) {
      if (positions[i] < positions[i - 1]) {
        Arrivals head = heads.computeIfAbsent(positions[i], _ -> new Arrivals());
        head.last = Math.max(head.last, positions[i - 1]);
      }
    }
    if (heads.isEmpty()) {
      return null;
    }
    for (int i = from; i < to; i++) {
      Arrivals head = heads.get(positions[i]);
      if (head != null) {
        head.add(i);
      }
    }
    for (Map.Entry<Long, Arrivals> each : heads.entrySet()) {
      Arrivals head = each.getValue();
      if (head.count >= 2) {
        int begin = head.firstIndex;
        while (begin > from && isWithin(begin - 1, each.getKey(), head.last)) {
          begin--;
        }
        int after = head.lastIndex;
        while (after < to && isWithin(after, each.getKey(), head.last)) {
          after++;
        }
        return new Region(each.getKey(), begin, after);
      }
    }
    return null;
  }

  private boolean isWithin(int index, long first, long last) {
    return positions[index] >= first && positions[index] <= last;
  }

  /** How often a position is reached, and the last position from which it was gone back to. */
  private static final class Arrivals {
    private long last;
    private int count;
    private int firstIndex;
    private int lastIndex;

    void add(int index) {
      if (count++ == 0) {
        firstIndex = index;
      }
      lastIndex = index;
    }
  }

  private CodeLoop loop(Region region, int end, int depth, SearchBudget budget) {
    int[] heads =
        IntStream.range(region.from, region.to).filter(i -> positions[i] == region.head).toArray();
    List<CodeLoop> nested = new ArrayList<>();
    for (int i = 0; i < heads.length; i++) {
      boolean isLast = i + 1 == heads.length;
      int stop = isLast ? region.to : heads[i + 1];
      nested.addAll(loops(heads[i] + 1, stop, isLast ? end : events[stop], depth + 1, budget));
    }
    return new CodeLoop(
        new Code(caller, function, region.head),
        events[region.from],
        Arrays.stream(heads).map(i -> events[i]).toArray(),
        end,
        nested);
  }
}
