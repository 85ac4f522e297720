package dev.vramscope.whatif.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.Block;
import dev.vramscope.model.BlockState;
import dev.vramscope.model.PoolId;
import dev.vramscope.model.PoolKind;
import dev.vramscope.model.Segment;
import dev.vramscope.model.StackTable;
import dev.vramscope.whatif.pool.PoolTrials.Answer;
import dev.vramscope.whatif.pool.PoolTrials.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What another pool would have done, on pools whose answers are computed by hand. */
class PoolTrialsTest {
  private static final long MIB = 1 << 20;

  /** A region of chunks; a negative size is that of a free chunk. */
  private static Segment region(long address, long requestedMib, long... mib) {
    List<Block> chunks = new ArrayList<>();
    long at = address;
    for (long size : mib) {
      long bytes = Math.abs(size) * MIB;
      chunks.add(
          new Block(
              at,
              bytes,
              size < 0 || requestedMib < 0 ? Block.UNKNOWN : Math.min(requestedMib * MIB, bytes),
              size < 0 ? BlockState.INACTIVE : BlockState.ALLOCATED,
              StackTable.NONE));
      at += bytes;
    }
    return new Segment(
        address,
        at - address,
        0,
        PoolKind.LARGE,
        PoolId.DEFAULT,
        /* expandable= */ false,
        StackTable.NONE,
        chunks);
  }

  private static PoolTrials trials(long requestMib, long limitMib, Segment... regions) {
    return PoolTrials.of(
        new PoolAtFailure(
            List.of(regions),
            requestMib * MIB,
            limitMib < 0 ? OptionalLong.empty() : OptionalLong.of(limitMib * MIB),
            OptionalLong.empty(),
            0,
            0,
            /* isWasteKnown= */ false));
  }

  private static Answer answer(PoolTrials trials, Question question) {
    return trials.row(question).answer();
  }

  @Test
  void freeMemoryInPiecesWouldFitInOne() {
    PoolTrials trials = trials(20, 64, region(1 << 30, 8, 8, -16, 8, -16, 8, -8));
    assertThat(answer(trials, Question.ONE_PIECE)).isEqualTo(Answer.FITS);
    assertThat(answer(trials, Question.REQUESTED_SIZES)).isEqualTo(Answer.FITS);
    // The chunks are as large as their requests: no other rule would have joined the pieces.
    assertThat(answer(trials, Question.OTHER_SPLIT)).isEqualTo(Answer.DOES_NOT_FIT);
    assertThat(answer(trials, Question.WHOLE_DEVICE)).isEqualTo(Answer.NOT_DECIDABLE);
  }

  @Test
  void whatChunksHaveBeyondTheirRequestsWouldFitWhereItIs() {
    // 10 MiB of the first chunk are not requested and lie before 8 MiB that are free.
    PoolTrials trials = trials(16, 64, region(1 << 30, 20, 30, -8, 26));
    assertThat(answer(trials, Question.ONE_PIECE)).isEqualTo(Answer.DOES_NOT_FIT);
    assertThat(answer(trials, Question.REQUESTED_SIZES)).isEqualTo(Answer.FITS);
    assertThat(answer(trials, Question.OTHER_SPLIT)).isEqualTo(Answer.FITS);
    PoolTrials larger = trials(19, 64, region(1 << 30, 20, 30, -8, 26));
    assertThat(answer(larger, Question.REQUESTED_SIZES)).isEqualTo(Answer.FITS);
    assertThat(answer(larger, Question.OTHER_SPLIT)).isEqualTo(Answer.DOES_NOT_FIT);
  }

  @Test
  void regionsAreNotJoined() {
    PoolTrials trials = trials(12, 64, region(1 << 30, 20, 20, -8), region(1L << 32, 20, 20, -8));
    assertThat(answer(trials, Question.OTHER_SPLIT)).isEqualTo(Answer.DOES_NOT_FIT);
    assertThat(answer(trials, Question.ONE_PIECE)).isEqualTo(Answer.FITS);
    // Allocated at once, 24 MiB remain after two chunks, and they are split off.
    PoolTrials.Row atOnce = trials.row(Question.OTHER_START);
    assertThat(atOnce.answer()).as(atOnce.sentence()).isEqualTo(Answer.FITS);
    assertThat(atOnce.label()).contains("at once");
    // After chunks of 24 MiB, only 16 would remain: the second has all of 40.
    PoolTrials unsplit = trials(12, 64, region(1 << 30, 24, 24, -8), region(1L << 32, 24, 24, -8));
    assertThat(answer(unsplit, Question.ONE_PIECE)).isEqualTo(Answer.FITS);
    assertThat(answer(unsplit, Question.OTHER_START)).isEqualTo(Answer.DOES_NOT_FIT);
  }

  @Test
  void whatTheFileDoesNotSayIsNotDecided() {
    PoolTrials trials = trials(24, -1, region(1 << 30, -1, 30, -8, 26));
    for (Question question : Question.values()) {
      assertThat(answer(trials, question)).as("%s", question).isEqualTo(Answer.NOT_DECIDABLE);
    }
  }

  @Test
  void theRoundingOfALogIsNotDecidedAgainstItself() {
    for (long missing : new long[] {-100_000, -100, 0, 100, 100_000}) {
      PoolAtFailure pool =
          new PoolAtFailure(
              List.of(region(1 << 30, -1, 48, -16)),
              32 * MIB,
              OptionalLong.of(64 * MIB),
              OptionalLong.empty(),
              16 * MIB - missing,
              11_000,
              /* isWasteKnown= */ true);
      assertThat(answer(PoolTrials.of(pool), Question.REQUESTED_SIZES))
          .as("short of %d bytes", missing)
          .isEqualTo(
              Math.abs(missing) < 11_000
                  ? Answer.NOT_DECIDABLE
                  : missing > 0 ? Answer.DOES_NOT_FIT : Answer.FITS);
    }
  }

  @Test
  void aPoolOfTheWholeDevice() {
    PoolAtFailure pool =
        new PoolAtFailure(
            List.of(region(1 << 30, 60, 60, -4)),
            32 * MIB,
            OptionalLong.of(64 * MIB),
            OptionalLong.of(96 * MIB),
            0,
            0,
            /* isWasteKnown= */ true);
    assertThat(answer(PoolTrials.of(pool), Question.WHOLE_DEVICE)).isEqualTo(Answer.FITS);
  }
}
