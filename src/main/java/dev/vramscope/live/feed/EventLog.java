package dev.vramscope.live.feed;

import dev.vramscope.model.TraceAction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * The latest events for display. Rare events (segments, failures and snapshots) have a separate
 * buffer, so that frequent ones do not displace them. Not thread-safe.
 */
final class EventLog {
  /** Events kept of each category; more are not readable between two frames. */
  static final int KEPT = 48;

  private final Deque<LoggedEvent> frequent = new ArrayDeque<>();
  private final Deque<LoggedEvent> rare = new ArrayDeque<>();

  static boolean isRare(TraceAction action) {
    return switch (action) {
      case ALLOC, FREE_REQUESTED, FREE_COMPLETED -> false;
      default -> true;
    };
  }

  void add(LoggedEvent logged) {
    Deque<LoggedEvent> buffer = isRare(logged.action()) ? rare : frequent;
    buffer.add(logged);
    if (buffer.size() > KEPT) {
      buffer.remove();
    }
  }

  /** The events after a version, in order. */
  List<LoggedEvent> since(long version) {
    List<LoggedEvent> newer = new ArrayList<>();
    Stream.concat(frequent.stream(), rare.stream())
        .filter(event -> event.version() > version)
        .sorted(Comparator.comparingLong(LoggedEvent::number))
        .forEach(newer::add);
    return newer;
  }
}
