package dev.vramscope.model.finding;

/** What several kinds advise, in Markdown. */
final class FindingAdvice {
  static final String NOTHING = "Nothing: it says what the numbers contain.";
  static final String WRITE_AGAIN =
      "Upload the file as `torch.cuda.memory._dump_snapshot` writes it, not edited or merged.";
  static final String REPORT =
      "Upload the file as it was written. If the finding remains, please report it.";
  static final String RECORD_EARLIER =
      "Call `torch.cuda.memory._record_memory_history()` before the first allocation.";
  static final String MORE_ENTRIES =
      "Record with a larger `max_entries`, or write the snapshot earlier.";
  static final String NEWER = "Record with a newer version of PyTorch.";
  static final String RECURSION = "Check the program for an endless recursion.";
  static final String FINAL_STATE =
      "Rely on the final state, which is recorded and not reconstructed.";

  private FindingAdvice() {}
}
