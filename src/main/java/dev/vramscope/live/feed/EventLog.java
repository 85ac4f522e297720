package dev.vramscope.live.feed;

import dev.vramscope.allocator.AllocatorEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * The last events, for reading. What happens thousands of times a second does not push out what is
 * rare: segments, failures and snapshots have room of their own. Not thread-safe.
 */
final class EventLog {
  /** So many of each sort are kept; nobody reads more between two frames. */
  static final int KEPT = 48;

  private static final AllocatorEvent[] EVENTS = AllocatorEvent.values();

  private final Deque<LoggedEvent> frequent = new ArrayDeque<>();
  private final Deque<LoggedEvent> rare = new ArrayDeque<>();

  static boolean isRare(int kind) {
    return switch (EVENTS[kind]) {
      case ALLOC, FREE_REQUESTED, FREE_COMPLETED -> false;
      default -> true;
    };
  }

  void add(LoggedEvent event) {
    Deque<LoggedEvent> site = isRare(event.kind()) ? rare : frequent;
    site.add(event);
    if (site.size() > KEPT) {
      site.remove();
    }
  }

  /** What is newer than a version, in the order it happened. */
  List<LoggedEvent> since(long version) {
    List<LoggedEvent> newer = new ArrayList<>();
    Stream.concat(frequent.stream(), rare.stream())
        .filter(event -> event.version() > version)
        .sorted(Comparator.comparingLong(LoggedEvent::number))
        .forEach(newer::add);
    return newer;
  }
}
