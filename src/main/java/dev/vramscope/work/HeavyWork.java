package dev.vramscope.work;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Runs heavy work on platform threads, of which at most a fixed number compute at the same time.
 * Thread-safe.
 */
public final class HeavyWork implements AutoCloseable {
  /** After this time a task gives way at its next checkpoint, if another could use its turn. */
  static final Duration SHARE = Duration.ofMillis(50);

  /** How often {@link Requester#hasLeft} is asked. */
  private static final Duration WATCH = Duration.ofMillis(200);

  private static final int MAX_WAITING = 512;
  private static final int MAX_WAITING_OF_CLIENT = 256;

  /** The task that the calling thread computes. */
  private static final ScopedValue<Running> CURRENT = ScopedValue.newInstance();

  private record Running(HeavyWork work, Task task) {}

  private final int turns;
  private final Duration maxWait;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("work-", 1).factory());
  private final ReentrantLock lock = new ReentrantLock();

  // All guarded by the lock.
  private final KindQueues queues;
  private final List<Task> withTurn = new ArrayList<>();

  /** Tasks that wait for something other than a turn. */
  private final List<Task> withoutTurn = new ArrayList<>();

  private boolean isClosed;

  /**
   * @param turns tasks that compute at the same time
   * @param maxWait time after which a task that has not begun is rejected
   */
  public HeavyWork(int turns, Duration maxWait) {
    this.turns = turns;
    this.maxWait = maxWait;
    queues = new KindQueues(turns);
  }

  /** As many turns as leave a processor to other threads. */
  public static int turnsOf(int processors) {
    return Math.max(1, processors - 1);
  }

  /** The tasks that compute at the same time. */
  public int turns() {
    return turns;
  }

  /**
   * Runs a task and waits for its result. Within a task, the work is part of that task.
   *
   * @throws WorkBusyException if the task cannot begin in time
   * @throws WorkCancelledException if the requester left
   * @throws Exception what the work throws
   */
  public <T> T run(WorkKind kind, Requester requester, Callable<T> work) throws Exception {
    if (CURRENT.isBound()) {
      return work.call();
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    Task task =
        new Task(
            kind,
            requester.client(),
            lock.newCondition(),
            () -> published(result, work),
            () -> result.completeExceptionally(new WorkCancelledException()));
    lock.lock();
    try {
      requirePlace(task);
      enter(task);
    } finally {
      lock.unlock();
    }
    return await(task, result, requester);
  }

  /**
   * Runs a task some time, and never rejects it.
   *
   * @param whenCancelled called if it never runs
   */
  public void submit(WorkKind kind, String client, Runnable work, Runnable whenCancelled) {
    Supplier<Runnable> body =
        () -> {
          work.run();
          return () -> {};
        };
    Task task = new Task(kind, client, lock.newCondition(), body, whenCancelled);
    lock.lock();
    try {
      enter(task);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Called by long work, every few milliseconds, while it holds no lock that another task may need:
   * gives way to others after a while.
   *
   * @throws WorkCancelledException if nobody waits for the result any more
   */
  public static void checkpoint() {
    if (CURRENT.isBound()) {
      Running running = CURRENT.get();
      running.work.giveWay(running.task);
    }
  }

  /**
   * Waits for something other than a processor, such as the client, without a turn.
   *
   * @throws WorkCancelledException if nobody waits for the result any more
   */
  public static <T> T withoutTurn(Callable<T> wait) throws Exception {
    if (!CURRENT.isBound()) {
      return wait.call();
    }
    Running running = CURRENT.get();
    running.work.endTurn(running.task);
    try {
      return wait.call();
    } finally {
      running.work.awaitTurn(running.task);
    }
  }

  /** Whether the calling thread computes a task, so that {@link #checkpoint} may give way. */
  public static boolean isTask() {
    return CURRENT.isBound();
  }

  /**
   * Waits for what another task computes, without a turn. If that task is in the background, it has
   * turns like any other meanwhile.
   *
   * @throws WorkCancelledException if nobody waits for the result any more
   */
  static <T> T withoutTurnForAnother(Callable<T> wait) throws Exception {
    if (!CURRENT.isBound()) {
      return wait.call();
    }
    HeavyWork work = CURRENT.get().work;
    work.wantBackground(1);
    try {
      return withoutTurn(wait);
    } finally {
      work.wantBackground(-1);
    }
  }

  private void wantBackground(int more) {
    lock.lock();
    try {
      queues.wantBackground(more);
    } finally {
      lock.unlock();
    }
  }

  /** The tasks of each kind. */
  public List<WorkLoad> load() {
    lock.lock();
    try {
      return queues.load();
    } finally {
      lock.unlock();
    }
  }

  /** Cancels all tasks. */
  @Override
  public void close() {
    List<Task> waiting = new ArrayList<>();
    lock.lock();
    try {
      isClosed = true;
      withTurn.forEach(Task::cancel);
      withoutTurn.forEach(Task::cancel);
      for (TaskQueue queue : queues.all()) {
        for (Task task : queue.tasks()) {
          task.cancel();
          if (task.isStarted()) {
            task.granted().signalAll();
          } else {
            queue.remove(task);
            waiting.add(task);
          }
        }
      }
    } finally {
      lock.unlock();
    }
    waiting.forEach(Task::discard);
    threads.shutdown();
  }

  private static <T> Runnable published(CompletableFuture<T> result, Callable<T> work) {
    try {
      T value = work.call();
      return () -> result.complete(value);
    } catch (Throwable failure) {
      return () -> result.completeExceptionally(failure);
    }
  }

  private void requirePlace(Task task) {
    TaskQueue queue = queues.of(task);
    if (task.kind().isRejectable()
        && (queue.waiting() >= MAX_WAITING
            || queue.waitingOf(task.client()) >= MAX_WAITING_OF_CLIENT)) {
      throw busy(task, queue.waiting() + 1);
    }
  }

  private void enter(Task task) {
    if (isClosed) {
      task.discard();
      return;
    }
    queues.of(task).add(task);
    grantTurns();
  }

  /** Waits for the result, and cancels the task if the requester leaves. */
  private <T> T await(Task task, CompletableFuture<T> result, Requester requester)
      throws Exception {
    long begin = System.nanoTime();
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          return result.get(WATCH.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
          if (requester.hasLeft().getAsBoolean()) {
            cancel(task);
          } else if (task.kind().isRejectable() && System.nanoTime() - begin > maxWait.toNanos()) {
            rejectUnlessStarted(task);
          }
        } catch (InterruptedException _) {
          // The task may use what belongs to the caller, so it has to end first.
          isInterrupted = true;
          cancel(task);
        }
      }
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof Exception cause) {
        throw cause;
      }
      if (failed.getCause() instanceof Error cause) {
        throw cause;
      }
      throw failed;
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void cancel(Task task) {
    boolean isDiscarded = false;
    lock.lock();
    try {
      task.cancel();
      if (task.isStarted()) {
        task.granted().signalAll(); // It may wait for its next turn.
      } else {
        queues.of(task).remove(task);
        isDiscarded = true;
      }
    } finally {
      lock.unlock();
    }
    if (isDiscarded) {
      task.discard();
    }
  }

  private void rejectUnlessStarted(Task task) {
    lock.lock();
    try {
      if (!task.isStarted()) {
        WorkBusyException busy = busy(task, queues.of(task).position(task));
        queues.of(task).remove(task);
        throw busy;
      }
    } finally {
      lock.unlock();
    }
  }

  private WorkBusyException busy(Task task, int position) {
    return new WorkBusyException(task.kind(), position, queues.expectedWait(task.kind(), position));
  }

  /** Gives the free turns to the tasks that are next. */
  private void grantTurns() {
    while (withTurn.size() < turns) {
      Task next = queues.next();
      if (next == null) {
        return;
      }
      boolean isNew = !next.isStarted();
      withTurn.add(next);
      next.beginTurn();
      if (isNew) {
        begin(next);
      }
    }
  }

  /** A task that gets no thread ends: it would keep its turn for ever. */
  private void begin(Task task) {
    try {
      threads.execute(() -> execute(task));
    } catch (RejectedExecutionException | OutOfMemoryError noThread) {
      release(task);
      queues.of(task).ended(task.client(), task.nanos());
      Thread.startVirtualThread(task::discard); // Without the lock.
    }
  }

  private void execute(Task task) {
    Runnable publish = () -> {};
    try {
      publish = ScopedValue.where(CURRENT, new Running(this, task)).call(task::run);
    } finally {
      lock.lock();
      try {
        release(task);
        queues.of(task).ended(task.client(), task.nanos());
        grantTurns();
      } finally {
        lock.unlock();
      }
    }
    publish.run();
  }

  private void release(Task task) {
    if (withTurn.remove(task)) {
      task.endTurn();
      queues.endedTurn(task);
    }
  }

  private void giveWay(Task task) {
    if (task.isCancelled()) {
      throw new WorkCancelledException();
    }
    if (task.turnNanos() < SHARE.toNanos()) {
      return;
    }
    lock.lock();
    try {
      if (!queues.isOtherWaiting(task)) {
        task.renewTurn();
        return;
      }
      release(task);
      // Behind the others: its own queue is asked last.
      grantTurns();
    } finally {
      lock.unlock();
    }
    awaitTurn(task);
  }

  private void endTurn(Task task) {
    lock.lock();
    try {
      release(task);
      withoutTurn.add(task);
      grantTurns();
    } finally {
      lock.unlock();
    }
  }

  private void awaitTurn(Task task) {
    lock.lock();
    try {
      withoutTurn.remove(task);
      if (task.isCancelled()) {
        throw new WorkCancelledException();
      }
      queues.of(task).addStarted(task);
      grantTurns();
      while (!task.hasTurn()) {
        if (task.isCancelled()) {
          queues.of(task).remove(task);
          throw new WorkCancelledException();
        }
        task.granted().awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }
}
