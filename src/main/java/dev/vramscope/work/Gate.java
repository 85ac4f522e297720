package dev.vramscope.work;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A few places for short work. Places that become free go round the clients that wait; one is left
 * to others by a client that has all the rest. Thread-safe.
 */
public final class Gate {
  private final int maxOfClient;
  private final ReentrantLock lock = new ReentrantLock();

  // All guarded by the lock.
  private final Map<String, Integer> inside = new HashMap<>();

  /** The clients that wait; the one that is next is first. */
  private final Map<String, Deque<Visit>> waiting = new LinkedHashMap<>();

  private int free;

  /** One that waits, until it is let in. */
  private static final class Visit {
    private final Condition letIn;
    private boolean isInside;

    Visit(Condition letIn) {
      this.letIn = letIn;
    }
  }

  /**
   * @param places at least 2
   */
  public Gate(int places) {
    free = places;
    maxOfClient = places - 1;
  }

  /**
   * Waits for a place; to be followed by {@link #leave}.
   *
   * @return whether there was one in time
   */
  public boolean enter(String client, Duration atMost) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Visit visit = new Visit(lock.newCondition());
      waiting.computeIfAbsent(client, _ -> new ArrayDeque<>()).addLast(visit);
      letIn();
      long left = atMost.toNanos();
      try {
        while (!visit.isInside && left > 0) {
          left = visit.letIn.awaitNanos(left);
        }
      } finally {
        if (!visit.isInside) {
          remove(client, visit);
        }
      }
      return visit.isInside;
    } finally {
      lock.unlock();
    }
  }

  /** Gives the place of a client to another one. */
  public void leave(String client) {
    lock.lock();
    try {
      free++;
      inside.computeIfPresent(client, (_, count) -> count == 1 ? null : count - 1);
      letIn();
    } finally {
      lock.unlock();
    }
  }

  /** How many wait for a place. */
  int waiting() {
    lock.lock();
    try {
      return waiting.values().stream().mapToInt(Deque::size).sum();
    } finally {
      lock.unlock();
    }
  }

  private void letIn() {
    while (free > 0) {
      String client = next();
      Deque<Visit> own = client == null ? null : waiting.remove(client);
      if (client == null || own == null) {
        return;
      }
      Visit visit = own.removeFirst();
      if (!own.isEmpty()) {
        waiting.put(client, own); // Behind the other clients.
      }
      free--;
      inside.merge(client, 1, Integer::sum);
      visit.isInside = true;
      visit.letIn.signal();
    }
  }

  private @Nullable String next() {
    return waiting.keySet().stream()
        .filter(client -> inside.getOrDefault(client, 0) < maxOfClient)
        .findFirst()
        .orElse(null);
  }

  private void remove(String client, Visit visit) {
    Deque<Visit> own = waiting.get(client);
    if (own != null && own.remove(visit) && own.isEmpty()) {
      waiting.remove(client);
    }
  }
}
