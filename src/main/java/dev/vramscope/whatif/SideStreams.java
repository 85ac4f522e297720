package dev.vramscope.whatif;

import dev.vramscope.analysis.lifetimes.AddressTable;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The streams of a replay for which freed blocks wait. A recording does not name them, so each free
 * that is under way has one of its own. Frees that never complete share one: the order in which
 * they wait does not matter.
 */
final class SideStreams {
  /** No stream. */
  static final int NONE = -1;

  private static final int COMPLETED = -1;

  /** The stream of each waiting block by its address. */
  private final AddressTable ofAddress = new AddressTable(16);

  private final Deque<Integer> unused = new ArrayDeque<>();
  private int endless = NONE;
  private int next;
  private int waiting;

  /** Streams from this number on. */
  SideStreams(int first) {
    next = first;
  }

  /** The stream for which a freed block waits from now on. */
  int waitFor(long address, boolean completes) {
    int stream = completes ? completing() : endless();
    waiting++;
    ofAddress.put(address, stream);
    return stream;
  }

  private int completing() {
    Integer free = unused.poll();
    return free != null ? free : next++;
  }

  private int endless() {
    endless = endless == NONE ? next++ : endless;
    return endless;
  }

  /** The stream whose free at an address completes, or {@link #NONE}. It is used until its end. */
  int completed(long address) {
    int stream = ofAddress.get(address);
    if (stream <= 0 || stream == endless) {
      return NONE;
    }
    ofAddress.put(address, COMPLETED);
    return stream;
  }

  /** Nothing waits for a stream any more. */
  void end(int stream) {
    waiting--;
    unused.add(stream);
  }

  /** The number of blocks that wait. */
  int waiting() {
    return waiting;
  }
}
