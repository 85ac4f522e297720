package dev.vramscope.recorder;

/**
 * What {@link Recorder#recordHistory} shall keep.
 *
 * @param recording how much
 * @param contexts of what a context is made
 * @param moment when contexts are taken
 * @param stackEvery every how manieth call of a thread has its stack taken; 1 for all
 * @param maxFrames a stack's innermost frames that are kept
 * @param maxEvents events kept for each allocator; 40 bytes each once used
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

  private static final int MOST_FRAMES = 1024;
  private static final int MOST_EVENTS = 100_000_000;

  public HistorySettings {
    require("stackEvery", stackEvery, Integer.MAX_VALUE);
    require("maxFrames", maxFrames, MOST_FRAMES);
    require("maxEvents", maxEvents, MOST_EVENTS);
  }

  /** 100,000 events with their scopes. */
  public static HistorySettings all() {
    return new HistorySettings(
        Recording.ALL, ContextKind.SCOPES, ContextMoment.ALLOC, 1, 64, 100_000);
  }

  public HistorySettings with(Recording other) {
    return new HistorySettings(other, contexts, moment, stackEvery, maxFrames, maxEvents);
  }

  /** Stacks in place of scopes, or beside them, of one call in {@code every}. */
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

  boolean takesStacks() {
    return recording != Recording.OFF && contexts.hasStacks();
  }

  private static void require(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          name + " is a number from 1 to " + most + ", got " + value + ".");
    }
  }
}
