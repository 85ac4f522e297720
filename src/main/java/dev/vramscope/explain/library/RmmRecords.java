package dev.vramscope.explain.library;

/** The rows of RMM's event logs; those of releases before 0.14 are different. */
final class RmmRecords {
  /** As the reader of these logs takes them: other rows are no events. */
  static final String ROW =
      "\\b[0-9]{1,20},[0-9]{2}:[0-9]{2}:[0-9]{2}[.:][0-9]{1,9},"
          + "(?:allocate|free|allocate failure),(?:\\(nil\\)|(?:0x)?[0-9a-fA-F]{1,16}),"
          + "[0-9]{1,18},(?:0x)?[0-9a-fA-F]{1,16}\\b"
          + "|\\b(?:Alloc|Free|Realloc),[0-9]{1,3},0x[0-9a-f]{1,16},";

  static final String FAILURE = ",allocate failure,[^,\\s]{1,20},[0-9]{1,18},";

  /** What is before the size of the device in a row of the first releases. */
  static final String LEGACY_TOTAL =
      "\\b(?:Alloc|Free),[0-9]{1,3},0x[0-9a-f]{1,16},[0-9]{1,18},[0-9]{1,18},[0-9]{1,18},";

  /** A column of bytes: they have no unit. */
  static final String BYTES = "([0-9]{1,20})()(?=[,\\s]|$)";

  private RmmRecords() {}
}
