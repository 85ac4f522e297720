package dev.vramscope.analysis;

import dev.vramscope.model.DeviceSnapshot;

/** Active bytes (requested size) and reserved bytes of a device after every event. */
public final class ActiveBytes {
  /** A number that cannot be known. */
  public static final long UNKNOWN = -1;

  private ActiveBytes() {}

  public static ActiveBytes of(DeviceSnapshot device, Lifetimes lifetimes) {
    return Unbuilt.value();
  }

  public int eventCount() {
    return Unbuilt.value();
  }

  /** Active bytes before the first event. */
  public long baselineBytes() {
    return Unbuilt.value();
  }

  /** Active bytes after an event; of {@link Lifetimes#BEFORE_RECORDING}, the baseline. */
  public long at(int event) {
    return Unbuilt.value();
  }

  /** The first event in [from, to) with the most active bytes. */
  public int maxEvent(int from, int to) {
    return Unbuilt.value();
  }

  /** The most active bytes after an event in [from, to). */
  public long max(int from, int to) {
    return Unbuilt.value();
  }

  /** The least active bytes after an event in [from, to). */
  public long min(int from, int to) {
    return Unbuilt.value();
  }

  /** The most active bytes ever, before the first event included. */
  public long peakBytes() {
    return Unbuilt.value();
  }

  /** The first event with the most active bytes, or {@link Lifetimes#BEFORE_RECORDING}. */
  public int peakEvent() {
    return Unbuilt.value();
  }

  public boolean isReservedKnown() {
    return Unbuilt.value();
  }

  /** Reserved bytes after an event, or {@link #UNKNOWN}. */
  public long reservedAt(int event) {
    return Unbuilt.value();
  }

  /** The most reserved bytes ever, or {@link #UNKNOWN}. */
  public long peakReservedBytes() {
    return Unbuilt.value();
  }
}
