package dev.vramscope.explain.xla;

/** Why a request of the BFC allocator failed, as far as its numbers show it. */
enum BfcCause {
  /** The request is larger than all that the allocator may have. */
  EXCEEDS_LIMIT,
  /** All that is not in use would be too little, even in one piece. */
  FULL,
  /** The pool was below its limit, and the driver had no more for it. */
  DRIVER,
  /** Enough is not in use, but in pieces. */
  PIECES,
  /** The numbers do not tell, or are not in the text. */
  UNKNOWN
}
