package dev.vramscope.live.feed;

import java.util.List;

/**
 * An active block.
 *
 * @param requestedBytes the requested size
 * @param site where it was allocated, an index in {@link SiteTable}
 * @param firstVersion the first version that contains it
 * @param pending whether it was freed and waits for streams
 * @param awaited the streams it waits for
 */
record ReplicaBlock(
    long address,
    long bytes,
    long requestedBytes,
    int site,
    long firstVersion,
    boolean pending,
    List<Integer> awaited) {
  long endAddress() {
    return address + bytes;
  }

  ReplicaBlock freed() {
    return new ReplicaBlock(
        address, bytes, requestedBytes, site, firstVersion, /* pending= */ true, List.of());
  }

  ReplicaBlock awaiting(List<Integer> streams) {
    return new ReplicaBlock(address, bytes, requestedBytes, site, firstVersion, pending, streams);
  }
}
