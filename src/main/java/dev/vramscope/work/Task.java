package dev.vramscope.work;

import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;

/**
 * One piece of heavy work. All fields but {@link #isCancelled} are guarded by the lock of {@link
 * HeavyWork}.
 */
final class Task {
  private final WorkKind kind;
  private final String client;
  private final Condition granted;
  private final Supplier<Runnable> body;
  private final Runnable discard;
  private boolean isStarted;
  private boolean hasTurn;
  private long began;
  private long turnBegan;
  private long computedNanos;
  private volatile boolean isCancelled;

  /**
   * A task without a turn.
   *
   * @param granted signalled when it gets one
   * @param body the work; it returns what publishes its result
   * @param discard called if it never begins
   */
  Task(WorkKind kind, String client, Condition granted, Supplier<Runnable> body, Runnable discard) {
    this.kind = kind;
    this.client = client;
    this.granted = granted;
    this.body = body;
    this.discard = discard;
  }

  WorkKind kind() {
    return kind;
  }

  String client() {
    return client;
  }

  Condition granted() {
    return granted;
  }

  boolean isStarted() {
    return isStarted;
  }

  boolean hasTurn() {
    return hasTurn;
  }

  void beginTurn() {
    turnBegan = System.nanoTime();
    began = isStarted ? began : turnBegan;
    isStarted = true;
    hasTurn = true;
    granted.signalAll();
  }

  void endTurn() {
    hasTurn = false;
    computedNanos += turnNanos();
  }

  /** The time since the present turn began. */
  long turnNanos() {
    return System.nanoTime() - turnBegan;
  }

  /** A new share of time, in the same turn: nobody else could use it. */
  void renewTurn() {
    computedNanos += turnNanos();
    turnBegan = System.nanoTime();
  }

  /** The time for which it kept others waiting: that in its turns, or since it began. */
  long nanos() {
    return kind.waitsForClients() ? System.nanoTime() - began : computedNanos;
  }

  /** Computes, with a turn; returns what is to be called after its end. */
  Runnable run() {
    return body.get();
  }

  /** Ends a task that has not begun. */
  void discard() {
    discard.run();
  }

  boolean isCancelled() {
    return isCancelled;
  }

  void cancel() {
    isCancelled = true;
  }
}
