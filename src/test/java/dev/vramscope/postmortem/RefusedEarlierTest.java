package dev.vramscope.postmortem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A change that refuses memory which the recording had does not get past the failure. */
class RefusedEarlierTest {
  /**
   * With the cache emptied at each step, 7.83 GiB that the run had got are refused, and the last
   * request then fits into them; packed without a gap, the run needs more than the device has.
   */
  @Test
  void laterRequestThatFitsIntoWhatWasRefusedIsNoHelp() {
    ExplainedCase found = ExplainedCase.of("hf/sft_vocab_logits");
    ChangedReplays replays = found.tries(found.report(found.totalBytes()));
    assertThat(replays.recorded().passesFailure()).isFalse();
    assertThat(replays.passedCount()).as(replays.changed().toString()).isZero();
  }
}
