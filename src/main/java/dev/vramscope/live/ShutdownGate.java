package dev.vramscope.live;

import java.util.concurrent.locks.StampedLock;

/**
 * Lets operations through until it is shut, and tells who shuts it when the last one is through.
 *
 * <p>Not reentrant: an operation that is through must not come again before it has left.
 */
final class ShutdownGate {
  private final StampedLock lock = new StampedLock();
  private final long id;
  private volatile HostedState state = new HostedState.Open();

  /** The gate of a hosted allocator, which is open. */
  ShutdownGate(long id) {
    this.id = id;
  }

  HostedState state() {
    return state;
  }

  /**
   * Goes through.
   *
   * @return what to {@link #leave} with
   * @throws AllocatorGoneException if the gate is shut
   */
  long enter() {
    if (!state.isOpen()) {
      throw gone(); // Not after the one who shuts it, who may have to wait.
    }
    long stamp = lock.readLock();
    if (!state.isOpen()) {
      lock.unlockRead(stamp);
      throw gone();
    }
    return stamp;
  }

  void leave(long stamp) {
    lock.unlockRead(stamp);
  }

  /**
   * Shuts the gate for good and waits until everybody is through.
   *
   * @return the state before
   */
  HostedState close() {
    HostedState before;
    synchronized (this) {
      before = state;
      state = new HostedState.Closed();
    }
    lock.unlockWrite(lock.writeLock());
    return before;
  }

  /** Shuts the gate because the card is lost; false if it was shut already. Waits for nobody. */
  synchronized boolean lose(String reason) {
    if (!state.isOpen()) {
      return false;
    }
    state = new HostedState.Lost(reason);
    return true;
  }

  private AllocatorGoneException gone() {
    return state instanceof HostedState.Lost(String reason)
        ? AllocatorGoneException.lost(id, reason)
        : AllocatorGoneException.closed(id);
  }
}
