package dev.vramscope.explain.reading;

/** Where a message is: its start, the end of the start, and its last part so far. */
final class FormPlace {
  /** No message is longer, and no part of one is further from the part before. */
  static final int REACH = 4000;

  private final MessageForm form;
  private final int start;
  private final int end;
  private int last;

  FormPlace(MessageForm form, int start, int end) {
    this.form = form;
    this.start = start;
    this.end = end;
    this.last = end;
  }

  MessageForm form() {
    return form;
  }

  int start() {
    return start;
  }

  int end() {
    return end;
  }

  /** The end of the last part. */
  int last() {
    return last;
  }

  /** Adds a part; false if it is too far away to belong to this message. */
  boolean add(int partStart, int partEnd) {
    if (partStart - last > REACH) {
      return false;
    }
    last = Math.max(last, partEnd);
    return true;
  }
}
