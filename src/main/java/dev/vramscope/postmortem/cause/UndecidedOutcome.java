package dev.vramscope.postmortem.cause;

/** What is said of a request whose cause or fit the recording does not decide. */
public enum UndecidedOutcome {
  FAILED("failed"),
  MAY_FIT("may fit"),
  MAY_FIT_OR_NOT("may fit or not"),
  MAY_FIT_INTO_FREE_BLOCK("is not certain to fit into any free block"),
  DEPENDS_ON_DRIVER(
      "fits into no free block, and it is unknown whether the driver can provide the memory"),
  FITS_INTO_NO_FREE_CHUNK("fits into no free chunk");

  private final String label;

  UndecidedOutcome(String label) {
    this.label = label;
  }

  /** Behind the request, in a sentence. */
  String label() {
    return label;
  }
}
