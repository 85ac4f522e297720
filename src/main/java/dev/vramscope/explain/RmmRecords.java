package dev.vramscope.explain;

/** The rows of RMM's event logs; those of releases before 0.14 are different. */
final class RmmRecords {
  static final String ROW =
      "\\b[0-9]{1,10},[0-9]{2}:[0-9]{2}:[0-9]{2}[.:][0-9]{1,9},(?:allocate|free)"
          + "|\\b(?:Alloc|Free|Realloc),[0-9]{1,3},0x[0-9a-f]{1,16},";
  static final String FAILURE = ",allocate failure,";

  private RmmRecords() {}
}
