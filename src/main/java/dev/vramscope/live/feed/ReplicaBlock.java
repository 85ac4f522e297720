package dev.vramscope.live.feed;

import java.util.List;

/**
 * An active block.
 *
 * @param requestedBytes what its client asked for
 * @param site where it was allocated, a number of {@link SiteTable}
 * @param born the version that first shows it
 * @param pending whether it was freed and waits
 * @param awaited the streams it waits for
 */
record ReplicaBlock(
    long address,
    long bytes,
    long requestedBytes,
    int site,
    long born,
    boolean pending,
    List<Integer> awaited) {
  long endAddress() {
    return address + bytes;
  }

  ReplicaBlock freed() {
    return new ReplicaBlock(address, bytes, requestedBytes, site, born, true, List.of());
  }

  ReplicaBlock awaiting(List<Integer> streams) {
    return new ReplicaBlock(address, bytes, requestedBytes, site, born, pending, streams);
  }
}
