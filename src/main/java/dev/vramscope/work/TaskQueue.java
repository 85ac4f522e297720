package dev.vramscope.work;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one kind that wait for a turn, by client. Turns go round the clients; those of one
 * client are in the order of arrival, and tasks that have started come before those that have not.
 * Single-threaded.
 */
final class TaskQueue {
  /** The assumed mean before the first task. */
  private static final double FIRST_NANOS = 1e9;

  /** Each task counts for so much of the mean. */
  private static final double WEIGHT = 0.2;

  /** So few tasks are shared by their turns alone. */
  private static final int FEW = 4;

  private final int maxStarted;
  private final int maxStartedOfClient;

  /** The clients with waiting tasks; the one whose turn is next is first. */
  private final Map<String, Deque<Task>> byClient = new LinkedHashMap<>();

  private final Map<String, Integer> startedOfClient = new HashMap<>();
  private int started;
  private double meanNanos = FIRST_NANOS;

  TaskQueue(int maxStarted) {
    this.maxStarted = maxStarted;
    maxStartedOfClient = maxStarted > FEW ? maxStarted / 2 : maxStarted;
  }

  /** Adds a task that has not started. */
  void add(Task task) {
    byClient.computeIfAbsent(task.client(), _ -> new ArrayDeque<>()).addLast(task);
  }

  /** Adds a task that has started and gave way. */
  void addStarted(Task task) {
    byClient.computeIfAbsent(task.client(), _ -> new ArrayDeque<>()).addFirst(task);
  }

  void remove(Task task) {
    Deque<Task> own = byClient.get(task.client());
    if (own != null && own.remove(task) && own.isEmpty()) {
      byClient.remove(task.client());
    }
  }

  /** Removes the task whose turn is next, and counts it as started; null if none may run. */
  @Nullable Task next() {
    String client =
        byClient.entrySet().stream()
            .filter(entry -> mayRun(entry.getValue().getFirst()))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElse(null);
    Deque<Task> own = client == null ? null : byClient.remove(client);
    if (client == null || own == null) {
      return null;
    }
    Task next = own.removeFirst();
    if (!own.isEmpty()) {
      byClient.put(client, own); // Behind the other clients.
    }
    if (!next.isStarted()) {
      started++;
      startedOfClient.merge(client, 1, Integer::sum);
    }
    return next;
  }

  /** Whether a task other than those of this client may run. */
  boolean hasNextBeside(String client) {
    return byClient.entrySet().stream()
        .anyMatch(entry -> !entry.getKey().equals(client) && mayRun(entry.getValue().getFirst()));
  }

  boolean hasNext() {
    return byClient.values().stream().anyMatch(own -> mayRun(own.getFirst()));
  }

  private boolean mayRun(Task task) {
    return task.isStarted()
        || (started < maxStarted
            && startedOfClient.getOrDefault(task.client(), 0) < maxStartedOfClient);
  }

  /** Whether a task of this kind has begun or waits. */
  boolean isUsed() {
    return started > 0 || !byClient.isEmpty();
  }

  /** A started task of a client has ended, and took this time. */
  void ended(String client, long nanos) {
    started--;
    startedOfClient.computeIfPresent(client, (_, count) -> count == 1 ? null : count - 1);
    meanNanos += WEIGHT * (nanos - meanNanos);
  }

  /** The mean time that the latest tasks took. */
  Duration mean() {
    return Duration.ofNanos((long) meanNanos);
  }

  /** The tasks that have started and not ended. */
  int started() {
    return started;
  }

  /** The tasks that have not started. */
  int waiting() {
    return (int)
        byClient.values().stream().flatMap(Deque::stream).filter(task -> !task.isStarted()).count();
  }

  /** The tasks of a client that have not started. */
  int waitingOf(String client) {
    Deque<Task> own = byClient.get(client);
    return own == null ? 0 : (int) own.stream().filter(task -> !task.isStarted()).count();
  }

  /** The place of a task among those that have not started, from 1. */
  int position(Task task) {
    int index = 0;
    Deque<Task> own = byClient.getOrDefault(task.client(), new ArrayDeque<>());
    for (Task each : own) {
      if (each.equals(task)) {
        break;
      }
      index += each.isStarted() ? 0 : 1;
    }
    int before = index;
    boolean isBehind = false;
    for (Map.Entry<String, Deque<Task>> entry : byClient.entrySet()) {
      if (entry.getKey().equals(task.client())) {
        isBehind = true;
        continue;
      }
      int others = (int) entry.getValue().stream().filter(each -> !each.isStarted()).count();
      before += Math.min(others, isBehind ? index : index + 1);
    }
    return before + 1;
  }

  /** All tasks that wait, started or not. */
  List<Task> tasks() {
    List<Task> tasks = new ArrayList<>();
    byClient.values().forEach(tasks::addAll);
    return tasks;
  }
}
