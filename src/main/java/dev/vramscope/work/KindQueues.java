package dev.vramscope.work;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that wait for a turn, by kind, and which is next: turns go round the kinds. Work in the
 * background is next only if no other kind has a task, if another task waits for it, or if it had
 * no turn for a while. Single-threaded.
 */
final class KindQueues {
  /** After this time without a turn, work in the background gets one before others. */
  private static final Duration BACKGROUND_PAUSE = Duration.ofSeconds(1);

  private final int turns;
  private final Map<WorkKind, TaskQueue> queues = new EnumMap<>(WorkKind.class);
  private int nextKind;

  /** When a task in the background had its last turn, in the time of {@link System#nanoTime}. */
  private long backgroundTurn = System.nanoTime();

  /** The tasks that wait for another one, which may be in the background. */
  private int backgroundWanted;

  /**
   * Empty queues.
   *
   * @param turns tasks that compute at the same time
   */
  KindQueues(int turns) {
    this.turns = turns;
    for (WorkKind kind : WorkKind.values()) {
      queues.put(kind, new TaskQueue(kind.maxStarted(turns)));
    }
  }

  Collection<TaskQueue> all() {
    return queues.values();
  }

  TaskQueue of(Task task) {
    return of(task.kind());
  }

  private TaskQueue of(WorkKind kind) {
    TaskQueue queue = queues.get(kind);
    if (queue == null) {
      throw new IllegalStateException("no queue for " + kind);
    }
    return queue;
  }

  /** Removes the task whose turn is next, and counts it as started; null if none may run. */
  @Nullable Task next() {
    Task background = isBackgroundDue() ? of(WorkKind.BACKGROUND).next() : null;
    if (background != null) {
      return background;
    }
    WorkKind[] kinds = WorkKind.values();
    for (int step = 0; step < kinds.length; step++) {
      int index = (nextKind + step) % kinds.length;
      Task next = kinds[index] == WorkKind.BACKGROUND ? null : of(kinds[index]).next();
      if (next != null) {
        nextKind = index + 1;
        return next;
      }
    }
    return of(WorkKind.BACKGROUND).next();
  }

  /** Whether another task than this one, which has a turn, could use it. */
  boolean isOtherWaiting(Task task) {
    return queues.entrySet().stream()
        .filter(entry -> entry.getKey() != WorkKind.BACKGROUND || isBackgroundDue())
        .anyMatch(
            entry ->
                entry.getKey() == task.kind()
                    ? entry.getValue().hasNextBeside(task.client())
                    : entry.getValue().hasNext());
  }

  /** A task has given its turn back. */
  void endedTurn(Task task) {
    if (task.kind() == WorkKind.BACKGROUND) {
      backgroundTurn = System.nanoTime();
    }
  }

  /**
   * Tasks wait for others, which may be in the background.
   *
   * @param more may be negative
   */
  void wantBackground(int more) {
    backgroundWanted += more;
  }

  private boolean isBackgroundDue() {
    return backgroundWanted > 0 || System.nanoTime() - backgroundTurn > BACKGROUND_PAUSE.toNanos();
  }

  /** How long a task at a place waits: every kind with tasks has the same share of the turns. */
  Duration expectedWait(WorkKind kind, int position) {
    long kinds =
        queues.entrySet().stream()
            .filter(each -> each.getKey() != WorkKind.BACKGROUND)
            .filter(each -> each.getKey() == kind || each.getValue().isUsed())
            .count();
    TaskQueue queue = of(kind);
    long tasks = position - 1L + Math.max(1, queue.started());
    return kind.waitsForClients()
        ? queue.mean().multipliedBy(position).dividedBy(kind.maxStarted(turns))
        : queue.mean().multipliedBy(tasks * kinds).dividedBy(turns);
  }

  /** The tasks of each kind. */
  List<WorkLoad> load() {
    return queues.entrySet().stream()
        .map(
            entry ->
                new WorkLoad(
                    entry.getKey(), entry.getValue().started(), entry.getValue().waiting()))
        .toList();
  }
}
