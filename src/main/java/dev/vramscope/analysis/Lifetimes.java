package dev.vramscope.analysis;

import dev.vramscope.model.DeviceSnapshot;
import dev.vramscope.model.Finding;
import dev.vramscope.model.PoolId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every allocation of a device that its trace or its final state shows, ordered by birth. */
public final class Lifetimes {
  /** The event of something that happened before the first recorded one. */
  public static final int BEFORE_RECORDING = -1;

  /** The event of something that had not happened by the end. */
  public static final int NEVER = Integer.MAX_VALUE;

  /** A size that was not recorded. */
  public static final long UNKNOWN = -1;

  private Lifetimes() {}

  public static Lifetimes of(DeviceSnapshot device) {
    return Unbuilt.value();
  }

  /** Number of allocations; rows are 0 to this, exclusive. */
  public int size() {
    return Unbuilt.value();
  }

  /** How many were alive before the first event: the first rows. */
  public int aliveBeforeCount() {
    return Unbuilt.value();
  }

  public long address(int row) {
    return Unbuilt.value();
  }

  /** What the client asked for, or {@link #UNKNOWN} (a block of PyTorch before 2.0). */
  public long requestedBytes(int row) {
    return Unbuilt.value();
  }

  /** Requested bytes, or the block's where the request is not recorded: what charts count. */
  public long bytes(int row) {
    return Unbuilt.value();
  }

  /** The block's size where the final state shows it, else {@link #UNKNOWN}. */
  public long allocatedBytes(int row) {
    return Unbuilt.value();
  }

  /** The event that handed it out, or {@link #BEFORE_RECORDING}. */
  public int bornEvent(int row) {
    return Unbuilt.value();
  }

  /** The event of the client's free, {@link #BEFORE_RECORDING} or {@link #NEVER}. */
  public int freeRequestedEvent(int row) {
    return Unbuilt.value();
  }

  /** The event that made the bytes usable again, or {@link #NEVER}. */
  public int freeCompletedEvent(int row) {
    return Unbuilt.value();
  }

  /** The event from which it is no longer active, or {@link #NEVER}. */
  public int endEvent(int row) {
    return Unbuilt.value();
  }

  /** Where it was allocated, an id in the snapshot's stack table; 0 when not recorded. */
  public int stack(int row) {
    return Unbuilt.value();
  }

  public long stream(int row) {
    return Unbuilt.value();
  }

  /** The pool, or null when not recorded. */
  public @Nullable PoolId pool(int row) {
    return Unbuilt.value();
  }

  /** Whether it is active after {@code event}. */
  public boolean isActiveAt(int row, int event) {
    return bornEvent(row) <= event && event < endEvent(row);
  }

  /** Whether it is freed by its client but still active after {@code event}. */
  public boolean isPendingAt(int row, int event) {
    return isActiveAt(row, event) && freeRequestedEvent(row) <= event;
  }

  /** Contradictions between the events, and between them and the final state. */
  public List<Finding> findings() {
    return Unbuilt.value();
  }
}
