package dev.vramscope.live.feed;

import java.util.List;

/**
 * An active block.
 *
 * @param requestedBytes what its client asked for
 * @param place where it was allocated, a number of {@link Places}
 * @param born the version that first shows it
 * @param pending whether it was freed and waits
 * @param awaited the streams it waits for
 */
record MirrorBlock(
    long address,
    long bytes,
    long requestedBytes,
    int place,
    long born,
    boolean pending,
    List<Integer> awaited) {
  long endAddress() {
    return address + bytes;
  }

  MirrorBlock freed() {
    return new MirrorBlock(address, bytes, requestedBytes, place, born, true, List.of());
  }

  MirrorBlock awaiting(List<Integer> streams) {
    return new MirrorBlock(address, bytes, requestedBytes, place, born, pending, streams);
  }
}
