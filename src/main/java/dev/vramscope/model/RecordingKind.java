package dev.vramscope.model;

/** What a file contains of a device, and so what can be answered from it. */
public enum RecordingKind {
  /** The events of a run, and the state at its end where the file has it. */
  TRACE,
  /** The state of an allocator at one moment, without events. */
  STATE,
  /**
   * A dump: one moment of a BFC allocator, with at most its failed requests. The allocator writes
   * one when it cannot serve a request, and at no other time.
   */
  DUMP,
  /** A profile: live buffers and their stacks, without addresses. */
  PROFILE,
  /** A log of requests and frees, without the segments that served them. */
  REQUEST_LOG,
  /** The pinned host memory of a process, whatever is recorded of it. */
  PINNED_HOST;

  /** Whether it is the memory of a GPU. */
  public boolean isOfGpu() {
    return this != PINNED_HOST;
  }

  /** Whether blocks have addresses. */
  public boolean hasAddresses() {
    return this != PROFILE;
  }

  /** Whether the file says what the allocator held. */
  public boolean hasSegments() {
    return this != PROFILE && this != REQUEST_LOG;
  }

  /** Whether a run led to what is recorded, which could be replayed. */
  public boolean hasRun() {
    return this == TRACE || this == REQUEST_LOG;
  }
}
