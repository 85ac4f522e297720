package dev.vramscope.store;

import java.time.Instant;

/**
 * A stored snapshot's facts, as a list shows them.
 *
 * @param id the first 16 hex digits of {@code sha256} (more only where another file has the same)
 * @param name what the uploader called the file
 * @param tags what the uploader said about it
 * @param uploaded when it was first stored
 * @param sha256 of the uncompressed upload, in hex
 * @param originalBytes of the uncompressed upload
 * @param storedBytes what the model's columns take in the store, without the original
 * @param format as found in the file's bytes
 * @param producer the program that wrote it, as far as the file tells
 * @param deviceCount GPUs with a segment or an event
 * @param eventCount trace events of all devices
 * @param segmentCount segments of all devices
 * @param blockCount blocks of all segments
 * @param reservedBytes sum of the segments
 * @param allocatedBytes sum of the allocated blocks
 * @param oomCount failed requests in the traces
 * @param findingCount what was lost or contradictory when the file was read
 */
public record StoredSnapshot(
    String id,
    String name,
    Tags tags,
    Instant uploaded,
    String sha256,
    long originalBytes,
    long storedBytes,
    String format,
    String producer,
    int deviceCount,
    long eventCount,
    long segmentCount,
    long blockCount,
    long reservedBytes,
    long allocatedBytes,
    int oomCount,
    int findingCount) {

  /** The same snapshot with other tags. */
  StoredSnapshot tagged(Tags others) {
    return new StoredSnapshot(
        id,
        name,
        others,
        uploaded,
        sha256,
        originalBytes,
        storedBytes,
        format,
        producer,
        deviceCount,
        eventCount,
        segmentCount,
        blockCount,
        reservedBytes,
        allocatedBytes,
        oomCount,
        findingCount);
  }

  /** The same snapshot, now that it is known how much its columns take. */
  StoredSnapshot stored(long bytes) {
    return new StoredSnapshot(
        id,
        name,
        tags,
        uploaded,
        sha256,
        originalBytes,
        bytes,
        format,
        producer,
        deviceCount,
        eventCount,
        segmentCount,
        blockCount,
        reservedBytes,
        allocatedBytes,
        oomCount,
        findingCount);
  }
}
