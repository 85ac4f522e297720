package dev.vramscope.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SizeRulesTest {
  private static final long KIB = 1L << 10;
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  private static SizeRules recorded(Map<String, String> settings) {
    return SizeRules.of(Optional.of(new AllocatorSettings(settings)));
  }

  private static SizeRules withDivisions(long divisions) {
    long[] all = new long[SizeRules.ROUNDING_INTERVALS];
    Arrays.fill(all, divisions);
    return new SizeRules(all, 20 * MIB, SizeRules.UNLIMITED, false);
  }

  @Test
  void blocksAreMultiplesOf512() {
    assertThat(SizeRules.DEFAULT.roundedBytes(0)).isEqualTo(512);
    assertThat(SizeRules.DEFAULT.roundedBytes(1)).isEqualTo(512);
    assertThat(SizeRules.DEFAULT.roundedBytes(512)).isEqualTo(512);
    assertThat(SizeRules.DEFAULT.roundedBytes(513)).isEqualTo(1024);
    assertThat(SizeRules.DEFAULT.roundedBytes(MIB + 1)).isEqualTo(MIB + 512);
    assertThat(SizeRules.DEFAULT.roundedBytes((1L << 60) - 1)).isEqualTo(1L << 60);
  }

  @Test
  void settingsAreRecordedOrDefault() {
    assertThat(SizeRules.of(Optional.empty()).isRecorded()).isFalse();
    assertThat(recorded(Map.of()).isRecorded()).isTrue();
  }

  @Test
  void divisionsRoundToStepsBetweenPowersOfTwo() {
    SizeRules rules = withDivisions(4);
    assertThat(rules.roundedBytes(1200)).as("not above 512 * 4").isEqualTo(1536);
    assertThat(rules.roundedBytes(2100)).isEqualTo(2560);
    assertThat(rules.roundedBytes(4096)).as("a power of two").isEqualTo(4096);
    assertThat(rules.roundedBytes(1200 * MIB)).isEqualTo(1280 * MIB);
  }

  @Test
  void recordedDivisionsApplyToTheirInterval() {
    SizeRules rules =
        recorded(
            Map.of(
                "roundup_power2_divisions.1", "4",
                "roundup_power2_divisions.1024", "2"));
    assertThat(rules.roundedBytes(1200 * KIB)).as("4 steps from 1 to 2 MiB").isEqualTo(1280 * KIB);
    assertThat(rules.roundedBytes(MIB)).as("a power of two").isEqualTo(MIB);
    assertThat(rules.roundedBytes(5000)).as("below the first interval").isEqualTo(5120);
    assertThat(rules.roundedBytes(1500)).as("not above 512 * 4").isEqualTo(1536);
    assertThat(rules.roundedBytes(3 * MIB + 1))
        .as("no divisions for 2 MiB")
        .isEqualTo(3 * MIB + 512);
    assertThat(rules.roundedBytes(GIB + 1)).isEqualTo(GIB + GIB / 2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 8, 64})
  void roundingNeverShrinksAndIsIdempotent(long divisions) {
    SizeRules rules = withDivisions(divisions);
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 10_000; i++) {
      long bytes = 1 + random.nextLong(1L << (1 + random.nextInt(45)));
      long rounded = rules.roundedBytes(bytes);
      assertThat(rounded).isGreaterThanOrEqualTo(bytes);
      assertThat(rounded % 512).isZero();
      assertThat(rules.roundedBytes(rounded)).isEqualTo(rounded);
    }
  }

  @Test
  void segmentsAreSharedBelowTenMebibytes() {
    assertThat(SizeRules.DEFAULT.kind(MIB)).isEqualTo(PoolKind.SMALL);
    assertThat(SizeRules.DEFAULT.kind(MIB + 512)).isEqualTo(PoolKind.LARGE);
    assertThat(SizeRules.DEFAULT.segmentBytes(512)).isEqualTo(2 * MIB);
    assertThat(SizeRules.DEFAULT.segmentBytes(MIB)).isEqualTo(2 * MIB);
    assertThat(SizeRules.DEFAULT.segmentBytes(MIB + 512)).isEqualTo(20 * MIB);
    assertThat(SizeRules.DEFAULT.segmentBytes(10 * MIB - 512)).isEqualTo(20 * MIB);
    assertThat(SizeRules.DEFAULT.segmentBytes(10 * MIB)).isEqualTo(10 * MIB);
    assertThat(SizeRules.DEFAULT.segmentBytes(10 * MIB + 512)).isEqualTo(12 * MIB);
  }

  @Test
  void largeSegmentSizeIsReadFromTheConfiguration() {
    SizeRules rules =
        recorded(
            Map.of("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:64,large_segment_size_mb:32"));
    assertThat(rules.segmentBytes(2 * MIB)).isEqualTo(32 * MIB);
    assertThat(rules.pageBytes(PoolKind.LARGE)).isEqualTo(32 * MIB);
  }

  /** PyTorch maps pages, but checks its limits against the size of an ordinary segment. */
  @Test
  void expandableSegmentsAcquirePagesAndAreLimitedBySegmentSize() {
    SizeRules rules = recorded(Map.of("expandable_segments", "True"));
    assertThat(rules.acquiredBytes(512)).isEqualTo(2 * MIB);
    assertThat(rules.acquiredBytes(11 * MIB)).isEqualTo(20 * MIB);
    assertThat(rules.acquiredBytes(21 * MIB)).isEqualTo(40 * MIB);
    assertThat(rules.segmentBytes(11 * MIB)).isEqualTo(12 * MIB);
    assertThat(rules.segmentBytes(21 * MIB)).isEqualTo(22 * MIB);
  }

  @Test
  void otherSegmentsAreAcquiredWhole() {
    assertThat(SizeRules.DEFAULT.acquiredBytes(512)).isEqualTo(2 * MIB);
    assertThat(SizeRules.DEFAULT.acquiredBytes(11 * MIB)).isEqualTo(12 * MIB);
  }

  @Test
  void remaindersUpToOneMebibyteStayWithLargeBlocks() {
    SizeRules rules = recorded(Map.of("max_split_size", Long.toString(64 * MIB)));
    assertThat(rules.maxUnsplitRemainder(PoolKind.SMALL, false, 512)).isZero();
    assertThat(rules.maxUnsplitRemainder(PoolKind.LARGE, true, 2 * MIB)).isZero();
    assertThat(rules.maxUnsplitRemainder(PoolKind.LARGE, false, 2 * MIB)).isEqualTo(MIB);
    assertThat(rules.maxUnsplitRemainder(PoolKind.LARGE, false, 64 * MIB))
        .as("oversize blocks are never split")
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void unlimitedSplitsHaveNoOversizeBlocks() {
    assertThat(SizeRules.DEFAULT.maxSplitBytes()).isEmpty();
    assertThat(SizeRules.DEFAULT.isOversize(Long.MAX_VALUE)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE + 1, -1})
  void unsignedSizesSaturate(long bytes) {
    SizeRules rules = withDivisions(4);
    assertThat(Long.compareUnsigned(SizeRules.DEFAULT.roundedBytes(bytes), bytes - 511))
        .isNotNegative();
    assertThat(Long.compareUnsigned(rules.roundedBytes(bytes), Long.MAX_VALUE - 511)).isPositive();
    assertThat(SizeRules.clamped(SizeRules.DEFAULT.segmentBytes(bytes))).isEqualTo(1L << 62);
  }

  @Test
  void clampedSizesDoNotOverflowWhenPagesAreAdded() {
    SizeRules rules = recorded(Map.of("expandable_segments", "True"));
    assertThat(rules.acquiredBytes(Long.MAX_VALUE)).isBetween(1L << 62, (1L << 62) + 20 * MIB);
    assertThat(SizeRules.clamped(-1)).isEqualTo(1L << 62);
    assertThat(SizeRules.clamped(4 * MIB)).isEqualTo(4 * MIB);
  }
}
