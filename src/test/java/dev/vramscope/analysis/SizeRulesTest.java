package dev.vramscope.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vramscope.model.AllocatorSettings;
import dev.vramscope.model.PoolKind;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SizeRulesTest {
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;
  private static final long GIB = 1 << 30;

  private static SizeRules with(Map<String, String> settings) {
    return SizeRules.of(Optional.of(new AllocatorSettings(settings)));
  }

  @Test
  void aBlockIsAMultipleOf512Bytes() {
    assertThat(SizeRules.DEFAULT.roundedBytes(1)).isEqualTo(512);
    assertThat(SizeRules.DEFAULT.roundedBytes(512)).isEqualTo(512);
    assertThat(SizeRules.DEFAULT.roundedBytes(513)).isEqualTo(1024);
    assertThat(SizeRules.DEFAULT.roundedBytes(MIB + 1)).isEqualTo(MIB + 512);
    assertThat(SizeRules.DEFAULT.isRecorded()).isFalse();
  }

  @Test
  void withDivisionsABlockIsTheNextOfEqualSteps() {
    SizeRules rules =
        with(
            Map.of(
                "roundup_power2_divisions.1", "4",
                "roundup_power2_divisions.1024", "2"));
    assertThat(rules.roundedBytes(1200 * KIB)).as("4 steps from 1 to 2 MiB").isEqualTo(1280 * KIB);
    assertThat(rules.roundedBytes(MIB)).as("a power of two stays").isEqualTo(MIB);
    assertThat(rules.roundedBytes(5000)).as("the first covers smaller ones").isEqualTo(5120);
    assertThat(rules.roundedBytes(1500)).as("not above 512 * 4: plain").isEqualTo(1536);
    assertThat(rules.roundedBytes(3 * MIB + 1))
        .as("no divisions for 2 MiB")
        .isEqualTo(3 * MIB + 512);
    assertThat(rules.roundedBytes(GIB + 1)).isEqualTo(GIB + GIB / 2);
  }

  @Test
  void theDriverIsAskedForSegments() {
    assertThat(SizeRules.DEFAULT.kind(MIB)).isEqualTo(PoolKind.SMALL);
    assertThat(SizeRules.DEFAULT.kind(MIB + 512)).isEqualTo(PoolKind.LARGE);
    assertThat(SizeRules.DEFAULT.segmentBytes(512)).isEqualTo(2 * MIB);
    assertThat(SizeRules.DEFAULT.segmentBytes(MIB + 512)).isEqualTo(20 * MIB);
    assertThat(SizeRules.DEFAULT.segmentBytes(10 * MIB)).isEqualTo(10 * MIB);
    assertThat(SizeRules.DEFAULT.segmentBytes(11 * MIB)).isEqualTo(12 * MIB);
  }

  @Test
  void expandableSegmentsGrowByPages() {
    SizeRules rules = with(Map.of("expandable_segments", "True"));
    assertThat(rules.segmentBytes(512)).isEqualTo(2 * MIB);
    assertThat(rules.segmentBytes(21 * MIB)).isEqualTo(40 * MIB);
    assertThat(rules.isRecorded()).isTrue();
  }

  @Test
  void theLargeSegmentSizeIsReadFromTheConfiguration() {
    SizeRules rules =
        with(Map.of("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:64,large_segment_size_mb:32"));
    assertThat(rules.segmentBytes(2 * MIB)).isEqualTo(32 * MIB);
    assertThat(rules.pageBytes(PoolKind.LARGE)).isEqualTo(32 * MIB);
  }

  @Test
  void absurdRequestsDoNotOverflow() {
    assertThat(SizeRules.DEFAULT.roundedBytes(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(SizeRules.DEFAULT.segmentBytes(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }
}
