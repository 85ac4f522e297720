package dev.vramscope.store.listing;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vramscope.model.Origin;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a stored snapshot.
 *
 * @param id the first 16 hex digits of {@code sha256} (more only if another file has the same
 *     prefix)
 * @param name the file name given at the upload, or the name given later
 * @param tags for searching
 * @param uploaded the time of the first upload
 * @param sha256 of the uncompressed upload, in hex
 * @param originalBytes length of the uncompressed upload
 * @param storedBytes size of the stored columns, without the original file
 * @param format the format detected from the content
 * @param producer the program that wrote it, as far as it can be determined from the file
 * @param totals what is in it; its members are those of the snapshot in JSON
 * @param answer why its first failure happened, and what to do; null while that is not known, and
 *     without a failure
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
    @JsonUnwrapped Totals totals,
    @Nullable FailureAnswer answer) {
  /**
   * What is in a snapshot.
   *
   * @param deviceCount GPUs with a segment or an event
   * @param eventCount trace events of all devices
   * @param segmentCount segments of all devices
   * @param blockCount blocks of all segments
   * @param reservedBytes sum of the segment sizes
   * @param allocatedBytes sum of the sizes of allocated blocks
   * @param peakBytes the sum of the devices' peaks of the active bytes; null without a trace
   * @param oomCount requests that failed
   * @param findingCount findings about data that are missing or contradictory in the file; null
   *     until a row of an older release was computed again
   */
  public record Totals(
      int deviceCount,
      long eventCount,
      long segmentCount,
      long blockCount,
      long reservedBytes,
      long allocatedBytes,
      @Nullable Long peakBytes,
      int oomCount,
      @Nullable Integer findingCount) {}

  /** An id is at least so many digits of the hash of the file. */
  public static final int MIN_ID_LENGTH = 16;

  /** The name of a snapshot whose name and tags are lost begins with this; its id follows. */
  public static final String RECOVERED = "recovered ";

  /** Whether it is a log, which has a page of its own and no devices. */
  @JsonIgnore
  public boolean isLog() {
    return format.equals(Origin.LOG);
  }

  /** Whether it is a compiled program, which has a page of its own and no devices. */
  @JsonIgnore
  public boolean isCompiled() {
    return format.equals(Origin.COMPILED);
  }

  /** Whether it is a device memory profile. */
  @JsonIgnore
  public boolean isProfile() {
    return format.equals(Origin.PROFILE);
  }

  /** Whether it has devices. */
  @JsonIgnore
  public boolean isSnapshot() {
    return !isLog() && !isCompiled();
  }

  /** The path of its page. */
  @JsonIgnore
  public String path() {
    return (isLog() ? "/logs/" : isCompiled() ? "/compiled/" : "/snapshots/") + id;
  }

  /** Whether its name and tags are lost, and nobody has named it since. */
  public boolean hasLostName() {
    return name.equals(RECOVERED + id);
  }

  /** A copy with other tags. */
  public StoredSnapshot withTags(Tags others) {
    return withMetadata(name, others);
  }

  /** A copy with another name and other tags. */
  public StoredSnapshot withMetadata(String otherName, Tags otherTags) {
    return new StoredSnapshot(
        id,
        otherName,
        otherTags,
        uploaded,
        sha256,
        originalBytes,
        storedBytes,
        format,
        producer,
        totals,
        answer);
  }

  /** A copy with the size of the stored columns. */
  public StoredSnapshot withStoredBytes(long bytes) {
    return new StoredSnapshot(
        id, name, tags, uploaded, sha256, originalBytes, bytes, format, producer, totals, answer);
  }

  // The columns of the list of snapshots.

  public int deviceCount() {
    return totals.deviceCount();
  }

  public long eventCount() {
    return totals.eventCount();
  }

  public long segmentCount() {
    return totals.segmentCount();
  }

  public long reservedBytes() {
    return totals.reservedBytes();
  }

  public long allocatedBytes() {
    return totals.allocatedBytes();
  }

  public @Nullable Long peakBytes() {
    return totals.peakBytes();
  }

  public int oomCount() {
    return totals.oomCount();
  }
}
