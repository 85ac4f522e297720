package dev.vramscope.store;

import java.util.concurrent.locks.ReentrantLock;
import org.springframework.stereotype.Component;

/** Serializes the changes of one snapshot. */
@Component
final class SnapshotLocks {
  private static final int COUNT = 1024;

  private final ReentrantLock[] locks = new ReentrantLock[COUNT];

  SnapshotLocks() {
    for (int i = 0; i < COUNT; i++) {
      locks[i] = new ReentrantLock();
    }
  }

  /** A held lock. */
  interface Held extends AutoCloseable {
    @Override
    void close();
  }

  /** Waits for the lock of a file and acquires it. */
  Held lock(String sha256) {
    ReentrantLock lock = locks[Math.floorMod(sha256.hashCode(), COUNT)];
    lock.lock();
    return lock::unlock;
  }
}
