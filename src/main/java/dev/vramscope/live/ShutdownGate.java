package dev.vramscope.live;

import java.util.concurrent.locks.StampedLock;

/**
 * Admits operations until it is closed. Closing waits until the last operation has left.
 *
 * <p>Not reentrant: a thread that has entered must not enter again before it has left.
 */
final class ShutdownGate {
  private final StampedLock lock = new StampedLock();
  private final long id;
  private volatile HostedState state = new HostedState.Open();

  /** Creates an open gate for the hosted allocator with this id. */
  ShutdownGate(long id) {
    this.id = id;
  }

  HostedState state() {
    return state;
  }

  /**
   * Enters the gate.
   *
   * @return the stamp to {@link #leave} with
   * @throws AllocatorGoneException if the gate is closed
   */
  long enter() {
    if (!state.isOpen()) {
      throw gone(); // Fails fast: the closing thread may hold the write lock.
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
   * Closes the gate permanently and waits until all operations have left.
   *
   * @return the previous state
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

  /**
   * Closes the gate because the device is lost. Does not wait.
   *
   * @return whether the gate was open
   */
  synchronized boolean closeAsLost(String reason) {
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
