package dev.vramscope.recorder;

/**
 * What {@link Recorder#recordHistory} records.
 *
 * @param recording how much is recorded
 * @param contexts the contents of contexts
 * @param moment when contexts are recorded
 * @param stackEvery the stack of one in this many calls of a thread is captured; 1 for every call
 * @param maxFrames the number of innermost frames of a stack that are kept
 * @param maxEvents the number of events kept for each allocator; each uses 40 bytes once it is
 *     written
 */
public record HistorySettings(
    Recording recording,
    ContextKind contexts,
    ContextMoment moment,
    int stackEvery,
    int maxFrames,
    int maxEvents) {
  /** No history. */
  public static final HistorySettings OFF = all().with(Recording.OFF);

  private static final int MAX_FRAMES = 1024;
  private static final int MAX_EVENTS = 100_000_000;

  public HistorySettings {
    require("stackEvery", stackEvery, Integer.MAX_VALUE);
    require("maxFrames", maxFrames, MAX_FRAMES);
    require("maxEvents", maxEvents, MAX_EVENTS);
  }

  /** 100,000 events with their scopes. */
  public static HistorySettings all() {
    return new HistorySettings(
        Recording.ALL, ContextKind.SCOPES, ContextMoment.ALLOC, 1, 64, 100_000);
  }

  public HistorySettings with(Recording other) {
    return new HistorySettings(other, contexts, moment, stackEvery, maxFrames, maxEvents);
  }

  /** With this kind of context; stacks are captured in one call in {@code every}. */
  public HistorySettings withContexts(ContextKind kind, int every) {
    return new HistorySettings(recording, kind, moment, every, maxFrames, maxEvents);
  }

  public HistorySettings withMoment(ContextMoment other) {
    return new HistorySettings(recording, contexts, other, stackEvery, maxFrames, maxEvents);
  }

  public HistorySettings withMaxFrames(int frames) {
    return new HistorySettings(recording, contexts, moment, stackEvery, frames, maxEvents);
  }

  public HistorySettings withMaxEvents(int events) {
    return new HistorySettings(recording, contexts, moment, stackEvery, maxFrames, events);
  }

  boolean capturesStacks() {
    return recording != Recording.OFF && contexts.hasStacks();
  }

  private static void require(String name, int value, int max) {
    if (value < 1 || value > max) {
      throw new IllegalArgumentException(
          name + " must be from 1 to " + max + ", got " + value + ".");
    }
  }
}
