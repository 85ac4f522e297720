package dev.vramscope.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.explain.producer.Advice;
import dev.vramscope.explain.producer.Share;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts in which no request failed, and reports that count failures. */
class NoFailureTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "I read that CUDA out of memory errors happen if the batch is too large. My training took"
            + " 2.00 GiB and 3 hours.",
        "Tip: to avoid CUDA out of memory errors, reduce the batch.",
        "if \"CUDA out of memory\" in str(e):",
        "enum cudaError { cudaErrorMemoryAllocation = 2 }"
      })
  void proseAndCodeAreNoMessages(String text) {
    LogExplanation explanation = LogExplanation.of(text);
    assertThat(explanation.isFailure()).isFalse();
    assertThat(explanation.conclusions())
        .allMatch(conclusion -> conclusion.headline().contains(text))
        .allMatch(conclusion -> conclusion.remedies().isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "RuntimeError: CUDA out of memory",
        "CUDA out of memory. Tried to",
        "RuntimeError('CUDA out of memory. Tried to allocate 2.00 GiB",
        "terminate called: what(): CUDA out of memory."
      })
  void cutMessagesAreMessages(String text) {
    assertThat(LogExplanation.of(text).isFailure()).isTrue();
  }

  @Test
  void aLogThatCountsFailuresDoesNotSayThatNoneHappened() {
    StringBuilder log = new StringBuilder("Thread,Time,Action,Pointer,Size,Stream\n");
    for (int i = 1; i <= 200; i++) {
      log.append("1,10:00:00.000001,allocate,0x%x,1048576,0x0\n".formatted(i << 20));
    }
    log.append("1,10:05:00.000001,allocate failure,0x0,1073741824,0x0\n");
    assertThat(LogExplanation.of(log.toString()).summary())
        .isEqualTo("An event log of RMM with 201 events, 1 of them a failed request of 1 GiB.");
    assertThat(
            LogExplanation.of(
                    "PyTorch CUDA memory summary, device ID 0 | CUDA OOMs: 1 | Allocated"
                        + " memory | 10 MB | 20 MB | reserved")
                .summary())
        .doesNotContain("No request failed");
  }

  @Test
  void rowsThatAreNoEventsAreNotCounted() {
    LogExplanation explanation =
        LogExplanation.of(
            """
            Thread,Time,Action,Pointer,Size,Stream
            =cmd|'/c calc'!A0,00:00:00.000000,allocate,0x10,18446744073709551615,0x0
            1,25:61:99.9,free,(nil),-1,zz
            """);
    assertThat(explanation.summary()).contains("without an event that can be read");
    assertThat(explanation.conclusions().getFirst().next())
        .extracting(Advice::text)
        .noneMatch(text -> text.contains("opens as a trace"));
  }

  @Test
  void aSummaryThatIsCutOffSaysNoMoreThanItHas() {
    String summary =
        "PyTorch CUDA memory summary, device ID 0 | Allocated memory | 1062 MB | 4877 MB | GPU"
            + " reserved memory | 12420 MB | 12420 MB |";
    assertThat(LogExplanation.of(summary).conclusions().getFirst().shares())
        .extracting(Share::label)
        .containsExactly("Allocated by this program", "Reserved but unallocated");
    String stats =
        "{'allocated_bytes.all.current': 1073741824, 'active_bytes.all.current': 2147483648,"
            + " 'inactive_split_bytes.all.current': 0, 'reserved_bytes.all.current': 3221225472}";
    assertThat(LogExplanation.of(stats).conclusions().getFirst().shares())
        .extracting(share -> share.label() + " " + (share.quantity().bytes() >> 30))
        .containsExactly(
            "Allocated by this program 1",
            "Freed, still used by a stream 1",
            "In wholly unused segments 1");
  }
}
