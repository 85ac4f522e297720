package dev.vramscope.recorder;

/** A copy of events of an {@link EventRing}, oldest first, in the layout of the ring. */
final class EventCopy {
  private final long[] words;
  private final int from;
  private final int to;
  private final long overwrittenCount;
  private final long firstNumber;

  EventCopy(long[] words, int from, int to, long overwrittenCount, long firstNumber) {
    this.words = words;
    this.from = from;
    this.to = to;
    this.overwrittenCount = overwrittenCount;
    this.firstNumber = firstNumber;
  }

  /** The index of the first event that was not overwritten during the copy. */
  int from() {
    return from;
  }

  /** The index after the last event. */
  int to() {
    return to;
  }

  /** The number of older events that were overwritten. */
  long overwrittenCount() {
    return overwrittenCount;
  }

  /** The ring's number of the event at {@link #from}. */
  long firstNumber() {
    return firstNumber;
  }

  long address(int event) {
    return words[event * EventRing.WORDS];
  }

  long bytes(int event) {
    return words[event * EventRing.WORDS + 1];
  }

  long nanos(int event) {
    return words[event * EventRing.WORDS + 2];
  }

  int context(int event) {
    return (int) (words[event * EventRing.WORDS + 3] >>> 32);
  }

  int pool(int event) {
    return (int) words[event * EventRing.WORDS + 3];
  }

  int stream(int event) {
    return (int) (words[event * EventRing.WORDS + 4] >>> 32);
  }

  /** The code of a {@link dev.vramscope.model.TraceAction}. */
  int action(int event) {
    return (int) words[event * EventRing.WORDS + 4];
  }
}
