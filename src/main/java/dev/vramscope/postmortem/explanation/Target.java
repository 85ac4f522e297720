package dev.vramscope.postmortem.explanation;

import dev.vramscope.model.StackTable;

/** What a number or a name in a {@link Sentence} refers to. The pages turn it into a URL. */
public sealed interface Target {
  /** An event of the trace. */
  record Event(int event) implements Target {}

  /** The block at an address. */
  record Block(long address) implements Target {}

  /** The segment at an address. */
  record Segment(long address) implements Target {}

  /**
   * The allocations of one line of code.
   *
   * @param stack a stack of the site; {@link StackTable#NONE} without one
   * @param isBeforeRecording for allocations without a stack: whether they are older than the
   *     recording
   */
  record Site(int stack, boolean isBeforeRecording) implements Target {
    static Site of(int stack) {
      return new Site(stack, /* isBeforeRecording= */ false);
    }

    /** The allocations of the recording that have no stack. */
    static Site withoutStack() {
      return of(StackTable.NONE);
    }

    /** The allocations that are older than the recording and have no stack. */
    static Site beforeRecording() {
      return new Site(StackTable.NONE, /* isBeforeRecording= */ true);
    }
  }

  /** A section of the post-mortem. */
  record Section(Name name) implements Target {
    /** The sections that sentences refer to. */
    public enum Name {
      REQUEST("request"),
      FREE_BLOCKS("free-blocks"),
      LEDGER("ledger"),
      COUNTERFACTUALS("counterfactuals"),
      CHEAPEST_FREES("cheapest-frees"),
      REMEDIES("remedies"),
      SMALLER_DEVICES("smaller-devices");

      private final String id;

      Name(String id) {
        this.id = id;
      }

      /** The id of the section's element. */
      public String id() {
        return id;
      }
    }
  }

  /** A replay under other settings: a whole {@code PYTORCH_CUDA_ALLOC_CONF}. */
  record Settings(String settings) implements Target {}
}
