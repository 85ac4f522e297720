package dev.vramscope.model.finding;

/** The texts of the findings about the events of a BFC allocator, and what they advise. */
final class BfcEventText {
  static final String EVENTS =
      "The file has the requests and frees of %s while it was recorded, %s. It does not have %s.";
  static final String BEFORE =
      "Device %d: %,d bytes were in use before the first event, according to the allocator’s own"
          + " total beside the events. All totals here include them; what is not freed in the trace"
          + " is one part without an address.";
  static final String DIFFER = "Device %d: %s.";

  static final String EARLIER = "Start recording before the first allocation.";
  static final String WHOLE = "Record all threads, from the start of the program, into one file.";

  private BfcEventText() {}
}
