package dev.vramscope.work;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A few places for short work. Places that become free go round the clients that wait; one is left
 * to others by a client that has all the rest. Work that turns out to be long is {@link
 * Load#overdue overdue}: others no longer wait for its place, and only so much of it is let in
 * besides. Nobody keeps waiting whose requester has left. Thread-safe.
 */
public final class Gate {
  /** After this time others no longer wait for a place. */
  static final Duration SHORT = Duration.ofSeconds(1);

  /** How often those that wait look for overdue work, and whether their requester has left. */
  private static final Duration WATCH = Duration.ofMillis(200);

  private static final int OVERDUE_PER_PLACE = 4;

  private final int maxOfClient;
  private final int maxOverdue;
  private final ReentrantLock lock = new ReentrantLock();

  // All guarded by the lock.

  /** The places that are taken, in the order in which they were let in. */
  private final Set<Place> inside = new LinkedHashSet<>();

  private final Map<String, Integer> insideOfClient = new HashMap<>();

  /** The clients that wait; the one that is next is first. */
  private final Map<String, Deque<Place>> waiting = new LinkedHashMap<>();

  private int free;
  private int overdue;

  /**
   * The work that was let in and that waits.
   *
   * @param inside in a place
   * @param overdue let in longer than {@link #SHORT} ago, and without a place since
   */
  public record Load(int inside, int overdue, int waiting) {}

  /** The place of one piece of work; on close it is given to another one. */
  public final class Place implements AutoCloseable {
    private final String client;
    private final Runnable whenOverdue;
    private final Condition letIn = lock.newCondition();
    private boolean isInside;
    private boolean isOverdue;
    private long began;

    private Place(String client, Runnable whenOverdue) {
      this.client = client;
      this.whenOverdue = whenOverdue;
    }

    private boolean isLong() {
      return System.nanoTime() - began > SHORT.toNanos();
    }

    @Override
    public void close() {
      lock.lock();
      try {
        if (isOverdue) {
          overdue--; // Others that were too many may be overdue now.
        } else {
          vacate(this);
          if (isLong()) {
            whenOverdue.run();
          }
        }
        letIn();
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * @param places at least 2
   */
  public Gate(int places) {
    free = places;
    maxOfClient = places - 1;
    maxOverdue = OVERDUE_PER_PLACE * places;
  }

  /**
   * Waits for a place.
   *
   * @param whenOverdue called if the work takes longer than {@link #SHORT}, with a lock of the gate
   * @return empty if there was none in time, or the requester left
   */
  public Optional<Place> enter(Requester requester, Duration atMost, Runnable whenOverdue)
      throws InterruptedException {
    Place place = new Place(requester.client(), whenOverdue);
    long deadline = System.nanoTime() + atMost.toNanos();
    boolean isLetIn = false;
    try {
      for (isLetIn = queued(place); !isLetIn; ) {
        long left = deadline - System.nanoTime();
        if (left <= 0 || requester.hasLeft().getAsBoolean()) {
          break;
        }
        isLetIn = awaited(place, Math.min(left, WATCH.toNanos()));
      }
    } finally {
      if (!isLetIn) {
        isLetIn = !withdrawn(place);
      }
    }
    return isLetIn ? Optional.of(place) : Optional.empty();
  }

  /** The work that was let in and that waits. */
  public Load load() {
    lock.lock();
    try {
      letIn();
      int waits = waiting.values().stream().mapToInt(Deque::size).sum();
      return new Load(inside.size(), overdue, waits);
    } finally {
      lock.unlock();
    }
  }

  private boolean queued(Place place) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      waiting.computeIfAbsent(place.client, _ -> new ArrayDeque<>()).addLast(place);
      letIn();
      return place.isInside;
    } finally {
      lock.unlock();
    }
  }

  private boolean awaited(Place place, long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      for (long left = nanos; !place.isInside && left > 0; ) {
        left = place.letIn.awaitNanos(left);
      }
      letIn();
      return place.isInside;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the work waits no longer; false if it was let in meanwhile. */
  private boolean withdrawn(Place place) {
    lock.lock();
    try {
      Deque<Place> own = waiting.get(place.client);
      if (own != null && own.remove(place) && own.isEmpty()) {
        waiting.remove(place.client);
      }
      return !place.isInside;
    } finally {
      lock.unlock();
    }
  }

  /** Takes the places of those that are inside for too long. */
  private void expire() {
    while (overdue < maxOverdue && !inside.isEmpty()) {
      Place oldest = inside.iterator().next();
      if (!oldest.isLong()) {
        return;
      }
      vacate(oldest);
      oldest.isOverdue = true;
      overdue++;
      oldest.whenOverdue.run();
    }
  }

  private void vacate(Place place) {
    inside.remove(place);
    free++;
    insideOfClient.computeIfPresent(place.client, (_, count) -> count == 1 ? null : count - 1);
  }

  /** Lets in those that wait, as far as there are places; takes back those of overdue work. */
  private void letIn() {
    expire();
    while (free > 0) {
      String client = next();
      Deque<Place> own = client == null ? null : waiting.remove(client);
      if (client == null || own == null) {
        return;
      }
      Place place = own.removeFirst();
      if (!own.isEmpty()) {
        waiting.put(client, own); // Behind the other clients.
      }
      free--;
      insideOfClient.merge(client, 1, Integer::sum);
      inside.add(place);
      place.isInside = true;
      place.began = System.nanoTime();
      place.letIn.signal();
    }
  }

  private @Nullable String next() {
    return waiting.keySet().stream()
        .filter(client -> insideOfClient.getOrDefault(client, 0) < maxOfClient)
        .findFirst()
        .orElse(null);
  }
}
